import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** V8's counts for one file of code: the ranges of each function, with outer ranges before inner ones. */
interface Script {
  url: string;
  functions: { ranges: { startOffset: number; endOffset: number; count: number }[] }[];
}

interface Line {
  /** The offset of the first character, and the offset after the last one. */
  start: number;
  end: number;
}

/** The lines of a source file, and whether each of them ran. */
class Lines {
  readonly lines: Line[] = [];
  readonly #didRun: Uint8Array;

  constructor(source: string) {
    const texts = source.trimEnd().split('\n');
    let start = 0;
    for (const text of texts) {
      this.lines.push({ start, end: start + text.length });
      start += text.length + 1;
    }
    // An empty line contains no code to run.
    this.#didRun = Uint8Array.from(texts, (text) => (text === '' ? 1 : 0));
  }

  /** Adds the counts from one process. A line ran if the innermost range that contains the whole line ran. */
  add({ functions }: Script): void {
    const ran = new Uint8Array(this.lines.length);
    for (const { startOffset, endOffset, count } of functions.flatMap(({ ranges }) => ranges)) {
      const last = this.lines.length - 1;
      for (let line = this.#at(startOffset); line <= last; line++) {
        const { start, end } = this.lines[line] as Line;
        if (end > endOffset) break;
        if (start >= startOffset) ran[line] = count > 0 ? 1 : 0;
      }
    }
    for (const [line, did] of ran.entries()) if (did) this.#didRun[line] = 1;
  }

  /** The numbers of the lines that never ran. */
  missed(): number[] {
    return [...this.#didRun.keys()].filter((line) => !this.#didRun[line]).map((line) => line + 1);
  }

  /** The index of the line at an offset. */
  #at(offset: number): number {
    let [low, high] = [0, this.lines.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.lines[middle] as Line).start <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** The lines of the included files that ran in any of the added processes. */
export class Coverage {
  readonly #root: string;
  readonly #files = new Map<string, Lines | undefined>();
  readonly #includes: (file: string) => boolean;

  /** `includes` is called with a file's path below `root`. */
  constructor(root: string, includes: (file: string) => boolean) {
    this.#root = root;
    this.#includes = includes;
  }

  /** Adds the counts in a folder, which `watch.js` wrote in each process, and deletes the folder. */
  addFolder(folder: string): void {
    for (const name of readdirSync(folder)) {
      const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { result: Script[] };
      // If a test loads a module repeatedly, the same code appears under several URLs.
      for (const script of result) this.#linesOf(script.url.replace(/\?.*$/, ''))?.add(script);
    }
    rmSync(folder, { recursive: true });
  }

  /** Line coverage in percent, for all files that any process loaded. */
  get percent(): number {
    let [all, missed] = [0, 0];
    for (const lines of this.#files.values()) {
      all += lines?.lines.length ?? 0;
      missed += lines?.missed().length ?? 0;
    }
    return all === 0 ? 0 : (100 * (all - missed)) / all;
  }

  /** The lines that never ran, by file: `lib/time.ts 3-5, 9`. */
  missed(): string[] {
    return [...this.#files]
      .map(([url, lines]) => ({ url, missed: lines?.missed() ?? [] }))
      .filter(({ missed }) => missed.length > 0)
      .map(({ url, missed }) => `${relative(this.#root, fileURLToPath(url))} ${spansOf(missed).join(', ')}`)
      .sort();
  }

  #linesOf(url: string): Lines | undefined {
    if (!this.#files.has(url)) {
      const file = url.startsWith('file:') ? relative(this.#root, fileURLToPath(url)) : undefined;
      const isIncluded = file?.endsWith('.ts') && this.#includes(file);
      this.#files.set(url, isIncluded ? new Lines(readFileSync(new URL(url), 'utf8')) : undefined);
    }
    return this.#files.get(url);
  }
}

/** Ascending numbers, with consecutive ones as ranges: `3-5`. */
function spansOf(numbers: readonly number[]): string[] {
  const spans: [number, number][] = [];
  for (const number of numbers) {
    const last = spans.at(-1);
    if (last?.[1] === number - 1) last[1] = number;
    else spans.push([number, number]);
  }
  return spans.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`));
}
