import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** The nouns: declarations of operations, that tests depend on once they use them, not once they are loaded. */
const NOUNS = /^server\/src\/(resources|accounts)\//;
const CODE = /\.(tsx?|m?js|css)$/;
/** Types are checked by the checks: they change nothing that runs. */
const TYPES = /\b(import|export) type\b[^;]*? from '[^']+';/g;
const IMPORTS = /\b(?:import|from) '(\.{1,2}\/[^']+)'|\bimport\(\s*'(\.{1,2}\/[^']+)'\s*\)/g;
/** Also a path that code gives to something else, such as a worker. */
const PATHS = /'(\.{1,2}\/[^'\s]+)'/g;
/** A statement of a module that makes something of its own: all but functions, classes and types. */
const VALUE = /^(?!(import|export (type|interface|\*|\{)|type|interface|[/}\])*]|\s|$))/;
const FUNCTION =
  /^(export )?(default )?((async )?function\b|(abstract )?class\b|const \w+(: [^=]+)? = (async )?(<[^>]*>)?\((?!\{ *$))/;

/** What the code of the repository loads. */
export class Graph {
  readonly #files: ReadonlySet<string>;
  readonly #root: string;
  readonly #texts = new Map<string, string>();
  readonly #next = new Map<string, string[]>();
  readonly #all = new Map<string, ReadonlySet<string>>();
  readonly #values = new Map<string, boolean>();

  /** `files` are all paths of the repository, below `root`. */
  constructor(root: string, files: Iterable<string>) {
    this.#root = root;
    this.#files = new Set(files);
  }

  /** The file and all that it loads, or names as a path. */
  reach(file: string): ReadonlySet<string> {
    const known = this.#all.get(file);
    if (known !== undefined) return known;
    const found = new Set([file]);
    for (const each of found) for (const next of this.#nextOf(each)) found.add(next);
    this.#all.set(file, found);
    return found;
  }

  /** Files that the file names without importing them: no coverage of its process tells what they do. */
  named(file: string): string[] {
    const imported = new Set(this.#matches(file, IMPORTS));
    return this.#matches(file, PATHS).filter((path) => !imported.has(path));
  }

  /** The nouns whose declarations are made of this one's, and itself; the lists of all nouns left out. */
  nounsWith(file: string): ReadonlySet<string> {
    const found = new Set([file]);
    const nouns = [...this.#files].filter(isNoun);
    for (const each of found)
      for (const noun of nouns) if (this.#nextOf(noun).includes(each)) found.add(noun);
    return found;
  }

  /** True if others may use something of the module without calling a function of it. */
  hasValues(file: string): boolean {
    const known = this.#values.get(file);
    if (known !== undefined) return known;
    const isPlain = this.#textOf(file)
      .split('\n')
      .every((line) => !VALUE.test(line) || FUNCTION.test(line) || /^(const|let) \w+/.test(line));
    const found = !isPlain || /^export (const|let) (?!\w+(: [^=]+)? = (async )?\()/m.test(this.#textOf(file));
    this.#values.set(file, found);
    return found;
  }

  #nextOf(file: string): string[] {
    let next = this.#next.get(file);
    if (next === undefined) {
      next = this.#matches(file, PATHS);
      this.#next.set(file, next);
    }
    return next;
  }

  #matches(file: string, pattern: RegExp): string[] {
    if (!CODE.test(file)) return [];
    const found = this.#textOf(file).matchAll(pattern);
    const paths = [...found].map((match) => posix.join(posix.dirname(file), match[1] ?? match[2] ?? ''));
    return [...new Set(paths)].filter((path) => this.#files.has(path));
  }

  #textOf(file: string): string {
    let text = this.#texts.get(file);
    if (text === undefined) {
      text = this.#files.has(file) ? readFileSync(join(this.#root, file), 'utf8').replace(TYPES, '') : '';
      this.#texts.set(file, text);
    }
    return text;
  }
}

/** True for the declaration of a noun. A list of all nouns is none. */
export const isNoun = (file: string): boolean =>
  NOUNS.test(file) && !/resources\/(index|consequences)\.ts$/.test(file);
