import { isEnd, isStart, spaced } from './find.ts';
import { searchText } from './text.ts';

/** Maximum characters per pattern. */
export const MAX_PATTERN = 100;

/** Number of bits per number in a set of states. */
const BITS = 32;

/** A folded pattern: its pieces between wildcards, and whether it may start and end inside words. */
interface Pattern {
  pieces: readonly string[];
  isOpenStart: boolean;
  isOpenEnd: boolean;
}

/**
 * Parses a pattern: folded words, as in a search, in which `*` stands for any number of letters, including
 * none. Undefined if it has no letter or digit, or a space next to a `*`.
 */
export function parsePattern(pattern: string): Pattern | undefined {
  const parts = pattern.trim().split('*');
  const pieces = parts.map((part) => spaced(part).trim());
  const [first = '', last = ''] = [pieces[0], pieces.at(-1)];
  // Consecutive asterisks are equivalent to one. A space next to an asterisk would make it a separate word.
  if (parts.some((part, at) => (at > 0 && /^\s/u.test(part)) || (at < parts.length - 1 && /\s$/u.test(part))))
    return undefined;
  const kept = pieces.filter((piece) => piece !== '');
  if (kept.length === 0) return undefined;
  return { pieces: kept, isOpenStart: first === '', isOpenEnd: last === '' };
}

/** A set of states, one bit each. */
type States = Int32Array;

/**
 * Finds patterns in texts: a nondeterministic automaton with a bit for each character of all patterns
 * (shift-and). Takes time linear in the length of the text for any patterns, because each character takes one
 * step over a few dozen numbers.
 */
export class WordRules<Rule extends { pattern: string }> {
  /** The rule for each state that completes a pattern, in the order of the rules. */
  readonly #rules = new Map<number, Rule>();
  readonly #reads = new Map<number, States>();
  readonly #size: number;
  /** The initial states of all patterns, and of those that may start inside a word. */
  readonly #firsts: States;
  readonly #anywhere: States;
  /** The states in which any letters may follow (wildcards). */
  readonly #loops: States;
  /** The final states of all patterns, and of those that may end inside a word. */
  readonly #accepts: States;
  readonly #openEnds: States;

  constructor(rules: readonly Rule[]) {
    const parsed = rules.flatMap((rule) => {
      const pattern = parsePattern(rule.pattern);
      return pattern ? [{ rule, ...pattern, length: pattern.pieces.join('').length }] : [];
    });
    this.#size = Math.ceil(parsed.reduce((sum, { length }) => sum + length, 0) / BITS);
    const states = () => new Int32Array(this.#size);
    this.#firsts = states();
    this.#anywhere = states();
    this.#loops = states();
    this.#accepts = states();
    this.#openEnds = states();
    let state = 0;
    for (const { rule, pieces, isOpenStart, isOpenEnd } of parsed) {
      set(this.#firsts, state);
      if (isOpenStart) set(this.#anywhere, state);
      for (const [at, piece] of pieces.entries()) {
        for (const unit of piece.split('')) set(this.#readersOf(unit.charCodeAt(0)), state++);
        if (at < pieces.length - 1) set(this.#loops, state - 1);
      }
      set(this.#accepts, state - 1);
      if (isOpenEnd) set(this.#openEnds, state - 1);
      this.#rules.set(state - 1, rule);
    }
  }

  /**
   * Returns the rules whose patterns occur in a message, either in the displayed text or in the targets of
   * links.
   */
  in(content: string): Rule[] {
    if (this.#size === 0) return [];
    const found = new Set<Rule>();
    this.#find(spaced(searchText(content)), found);
    return [...this.#rules.values()].filter((rule) => found.has(rule));
  }

  #find(text: string, found: Set<Rule>): void {
    const [size, loops, accepts, firsts, anywhere] = [
      this.#size,
      this.#loops,
      this.#accepts,
      this.#firsts,
      this.#anywhere,
    ];
    const none = new Int32Array(size);
    const now = new Int32Array(size);
    for (let at = 0; at < text.length; at++) {
      const isSpace = text[at] === ' ';
      const reads = this.#reads.get(text.charCodeAt(at)) ?? none;
      const starts = !isSpace && reads !== none && isStart(text, at) ? firsts : anywhere;
      const stays = isSpace ? none : loops;
      let carry = 0;
      let ended = 0;
      for (let index = 0; index < size; index++) {
        const before = now[index] as number;
        const next = (((before << 1) | carry) & ~(firsts[index] as number)) | (starts[index] as number);
        const after = (next & (reads[index] as number)) | (before & (stays[index] as number));
        carry = before >>> (BITS - 1);
        now[index] = after;
        ended |= after & (accepts[index] as number);
      }
      if (ended !== 0) this.#collect(now, isEnd(text, at + 1), found);
    }
  }

  #collect(now: States, isWordEnd: boolean, found: Set<Rule>): void {
    for (const [state, rule] of this.#rules) {
      const index = Math.floor(state / BITS);
      const ends = (isWordEnd ? this.#accepts : this.#openEnds)[index] as number;
      if ((now[index] as number) & ends & (1 << (state % BITS))) found.add(rule);
    }
  }

  #readersOf(unit: number): States {
    const known = this.#reads.get(unit) ?? new Int32Array(this.#size);
    this.#reads.set(unit, known);
    return known;
  }
}

const set = (states: States, state: number): void => {
  const index = Math.floor(state / BITS);
  states[index] = (states[index] as number) | (1 << (state % BITS));
};
