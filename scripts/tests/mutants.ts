import { transformSync } from 'esbuild';

/** A mutant: a fault in one line of a file. */
export interface Mutant {
  file: string;
  /** The line number, starting at 1. */
  line: number;
  before: string;
  after: string;
}

/** A mutation operator: a pattern and its replacement. */
type Operator = readonly [pattern: RegExp, replacement: string];

const operators: readonly Operator[] = [
  [/ === /g, ' !== '],
  [/ !== /g, ' === '],
  [/ < /g, ' <= '],
  [/ <= /g, ' < '],
  [/ > /g, ' >= '],
  [/ >= /g, ' > '],
  [/ && /g, ' || '],
  [/ \|\| /g, ' && '],
  [/ \+ 1\b/g, ''],
  [/ - 1\b/g, ''],
  [/ \+ (?!1\b)/g, ' - '],
  [/ - (?!1\b)/g, ' + '],
  [/\bMath\.max\(/g, 'Math.min('],
  [/\bMath\.min\(/g, 'Math.max('],
  [/\.slice\(-(\w+)\)/g, '.slice(0, $1)'],
  [/\.slice\(0, (\w+)\)/g, '.slice(-$1)'],
  [/\.slice\(1\)/g, '.slice(0)'],
  [/\breturn true;/g, 'return false;'],
  [/\breturn false;/g, 'return true;'],
  [/\.some\(/g, '.every('],
  [/\.every\(/g, '.some('],
  // Negates a condition, or makes it false.
  [/\bif \((.+)\) (?=return|continue|throw|break)/g, 'if (!($1)) '],
  [/^(\s*)if \(.+\) (return|continue|break|throw)\b.*;$/g, '$1;'],
  // Removes a call.
  [/^(\s*)(await |void )?[\w.#?]+\(.*\);$/g, '$1;'],
];
/** Matches a number, such as a limit or a time. The mutant increases it by one. */
const NUMBER = /(?<![\w.#'"`/-])(\d[\d_]*)(?![\w.'"`:])/g;
/** Lines that contain no code to run. */
const IDLE = /^\s*(\/\/|\*|\/\*|import |export type|export \*|export \{|type |interface |\}|$)/;

/** The line with the match replaced. */
const replaced = (line: string, match: RegExpExecArray, by: string) =>
  line.slice(0, match.index) + by + line.slice(match.index + match[0].length);

/** Returns all mutants of a file, including some that do not parse. */
export function mutantsOf(file: string, text: string): Mutant[] {
  const lines = text.split('\n');
  const found: Mutant[] = [];
  for (const [index, before] of lines.entries()) {
    if (IDLE.test(before)) continue;
    const after = operators.flatMap(([pattern, by]) =>
      // Keeps the rest of the line, because the pattern may have a lookahead.
      [...before.matchAll(pattern)].map(
        ({ index }) => before.slice(0, index) + before.slice(index).replace(new RegExp(pattern.source), by),
      ),
    );
    for (const match of before.matchAll(NUMBER))
      after.push(replaced(before, match, String(Number(match[1]?.replaceAll('_', '')) + 1)));
    for (const each of new Set(after)) found.push({ file, line: index + 1, before, after: each });
  }
  return found.filter((mutant) => mutant.after !== mutant.before);
}

/** The file's text with the fault applied. Undefined if it does not parse. */
export function applied({ line, after }: Mutant, text: string): string | undefined {
  const lines = text.split('\n');
  lines[line - 1] = after;
  const mutated = lines.join('\n');
  try {
    transformSync(mutated, { loader: 'tsx', logLevel: 'silent' });
    return mutated;
  } catch {
    return undefined;
  }
}

/** A seeded random number generator (mulberry32), which returns numbers from 0 (inclusive) to 1 (exclusive). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The first offset at which the mutant differs from the file's original text. */
export function offsetOf({ line, before, after }: Mutant, text: string): number {
  const begin =
    text
      .split('\n')
      .slice(0, line - 1)
      .join('\n').length + (line > 1 ? 1 : 0);
  const same = [...before].findIndex((character, index) => character !== after[index]);
  return begin + (same === -1 ? before.length : same);
}
