import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** The nouns declare operations. A test depends on a noun if it uses the noun, not just because it loads it. */
const NOUNS = /^server\/src\/(resources|accounts)\//;
const CODE = /\.(tsx?|m?js|css)$/;
/** Type imports are ignored because they have no effect at run time. The checks cover them. */
const TYPES = /\b(import|export) type\b[^;]*? from '[^']+';/g;
const IMPORTS = /\b(?:import|from) '(\.{1,2}\/[^']+)'|\bimport\(\s*'(\.{1,2}\/[^']+)'\s*\)/g;
/** Static imports with names. */
const NAMED = /\bimport \{([^}]*)\} from '(\.{1,2}\/[^']+)'/g;
/** Also matches paths that code passes to something else, such as a worker. */
const PATHS = /'(\.{1,2}\/[^'\s]+)'/g;
/** A statement that gives a module a value or effect of its own: anything except functions, classes and types. */
const VALUE = /^(?!(import|export (type|interface|\*|\{)|type|interface|[/}\])*]|\s|$))/;
const FUNCTION =
  /^(export )?(default )?((async )?function\b|(abstract )?class\b|const \w+(: [^=]+)? = (async )?(<[^>]*>)?\((?!\{ *$))/;

/** A row of an operation, or a list of them. */
const OPERATION = /^export const (\w+Operations\b|\w+ = (read|write|act|follow|upload|download)\()/;

/** The import graph of the repository's code. */
export class Graph {
  readonly #files: ReadonlySet<string>;
  readonly #root: string;
  readonly #texts = new Map<string, string>();
  readonly #next = new Map<string, string[]>();
  readonly #all = new Map<string, ReadonlySet<string>>();
  readonly #values = new Map<string, boolean>();

  /** `files` are the paths of all files in the repository, below `root`. */
  constructor(root: string, files: Iterable<string>) {
    this.#root = root;
    this.#files = new Set(files);
  }

  /** The file, and everything that it loads or names as a path. */
  reach(file: string): ReadonlySet<string> {
    const known = this.#all.get(file);
    if (known !== undefined) return known;
    const found = new Set([file]);
    for (const each of found) for (const next of this.#nextOf(each)) found.add(next);
    this.#all.set(file, found);
    return found;
  }

  /** Files that are named by path without an import. The coverage of this process does not include them. */
  named(file: string): string[] {
    const imported = new Set(this.#matches(file, IMPORTS));
    return this.#matches(file, PATHS).filter((path) => !imported.has(path));
  }

  /** The file of a noun, and the files of nouns that may use its values. Lists of all nouns are ignored. */
  nounsWith(file: string): ReadonlySet<string> {
    const found = new Set([file]);
    const nouns = [...this.#files].filter(isNoun);
    for (const each of found)
      for (const noun of nouns)
        if (this.#nextOf(noun).includes(each) && this.#usesValues(noun, each)) found.add(noun);
    return found;
  }

  /**
   * Whether a module may use another one without calling its functions, whose calls are recorded. Operations are used by
   * calling their functions, too.
   */
  #usesValues(importer: string, file: string): boolean {
    const text = this.#textOf(importer);
    const at = (path: string) => posix.join(posix.dirname(importer), path) === file;
    const imports = [...text.matchAll(NAMED)].filter(([, , path = '']) => at(path));
    const mentions = [...text.matchAll(PATHS)].filter(([, path = '']) => at(path));
    // Some imports, such as dynamic ones, do not name what they use.
    if (mentions.length > imports.length) return true;
    const names = imports.flatMap(([, list = '']) => list.split(',').map((each) => each.trim().split(' ')));
    return names.some(
      ([name = '', ...rest]) =>
        name !== '' && !(name === 'type' && rest.length > 0) && !this.#isFunction(file, name),
    );
  }

  #isFunction(file: string, name: string): boolean {
    const declared = new RegExp(`^export (async |abstract )?(function|class|const) ${name}\\b`);
    const line = this.#textOf(file)
      .split('\n')
      .find((each) => declared.test(each));
    return line !== undefined && (FUNCTION.test(line) || OPERATION.test(line));
  }

  /** True if other modules may use something in this module without calling one of its functions. */
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

/** True if a file declares a noun. The lists of all nouns do not declare any. */
export const isNoun = (file: string): boolean =>
  NOUNS.test(file) && !/resources\/(index|\w+Nouns|consequences)\.ts$/.test(file);
