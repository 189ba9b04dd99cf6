import { Graph, isNoun } from './graph.ts';
import { changedBetween, type Passed, type Records, type Snapshot } from './records.ts';

/** Files that every test depends on, apart from `package.json` files: packages, and the code that runs the tests. */
export const FOR_ALL: readonly string[] = [
  'package-lock.json',
  'tsconfig.json',
  'scripts/run.js',
  'scripts/bundle.ts',
  ...['job.ts', 'files.ts', 'prepared.ts', 'watch.js'].map((file) => `scripts/tests/${file}`),
];
/**
 * Folders that tests bundle. A test that reads one depends on its bundle, which also contains code from
 * elsewhere.
 */
const BUNDLED: readonly string[] = ['web/', 'client/'];
const PACKAGE = /^([\w-]+\/)?package\.json$/;
/**
 * Files that a test depends on only if its record says so. A change to any other file may affect every test, unless a
 * test is known to use the file.
 */
const KNOWN = /^(bench|docs|scripts|\.ci)\/|\.(tsx?|m?js|css|md)$|^(LICENSE|\.gitignore|biome\.json)$/;
/**
 * Tests that load this file depend on all nouns: they query each row of each noun, and some requests are rejected
 * before any function of the noun runs.
 */
const ALL_ROWS = 'test/rows/index.ts';
/**
 * Tests that request the OpenAPI document or the pages generated from it depend on the document, but not on the nouns:
 * the checks fail unless this file contains the document as it is served.
 */
const DOCUMENT = 'docs/openapi.json';
const DOCUMENTING = 'server/src/http/openapi/document.ts';

/** Selects the test files that are affected by changes. */
export class Selection {
  readonly #records: Records;
  readonly #now: Snapshot;
  readonly graph: Graph;
  readonly #changes = new Map<string, string[]>();
  readonly #nouns = new Map<string, ReadonlySet<string>>();
  readonly #reached = new Set<string>();
  readonly #bundles = new Map<string, ReadonlySet<string>>();

  constructor(root: string, records: Records, now: Snapshot) {
    this.#records = records;
    this.#now = now;
    this.graph = new Graph(root, Object.keys(now));
    for (const key of records.keys) {
      for (const path of records.get(key)?.read ?? []) this.#reached.add(path);
    }
  }

  /**
   * The reason to run a test file, or undefined if none of its dependencies has changed since it passed. `file` is
   * relative to test/.
   */
  reasonFor(engine: string, file: string): string | undefined {
    const passed = this.#records.get(`${engine} ${file}`);
    if (passed === undefined) return 'it failed or has not passed here yet';
    const path = `test/${file}`;
    return this.#changesSince(passed.at)
      .map((changed) => (this.depends(path, passed, changed) ? `${changed} changed` : undefined))
      .find((reason) => reason !== undefined);
  }

  /** Whether a test, given by its path in the repository, depends on another file: one that it loads, ran or read. */
  depends(path: string, { called, read }: Passed, changed: string): boolean {
    if (FOR_ALL.includes(changed) || PACKAGE.test(changed)) return true;
    if (changed.endsWith('?')) return includes(read, changed);
    if (includes(read, changed) || includes(called, changed)) return true;
    if (changed === DOCUMENT && called.includes(DOCUMENTING)) return true;
    const reach = this.graph.reach(path);
    const loads = reach.has(changed) || read.some((each) => this.graph.reach(each).has(changed));
    if (BUNDLED.some((folder) => read.includes(folder) && this.#bundleOf(folder).has(changed))) return true;
    if (isNoun(changed)) {
      if (reach.has(ALL_ROWS)) return true;
      // Other nouns may have used values from this file in their declarations.
      return [...this.#nounsWith(changed)].some((noun) => includes(called, noun));
    }
    if (!changed.startsWith('server/src/')) return loads || this.#isUnknown(changed);
    // Code may pass the path to a worker, whose usage is not recorded.
    if (called.some((each) => this.graph.named(each).includes(changed))) return true;
    return loads && this.graph.hasValues(changed);
  }

  /** Everything that the bundle of a folder contains. */
  #bundleOf(folder: string): ReadonlySet<string> {
    let files = this.#bundles.get(folder);
    if (files === undefined) {
      const within = Object.keys(this.#now).filter((file) => file.startsWith(folder));
      files = new Set(within.flatMap((file) => [...this.graph.reach(file)]));
      this.#bundles.set(folder, files);
    }
    return files;
  }

  #changesSince(snapshot: string): string[] {
    let changes = this.#changes.get(snapshot);
    if (changes === undefined) {
      changes = changedBetween(this.#records.snapshot(snapshot), this.#now);
      this.#changes.set(snapshot, changes);
    }
    return changes;
  }

  #nounsWith(file: string): ReadonlySet<string> {
    let nouns = this.#nouns.get(file);
    if (nouns === undefined) {
      nouns = this.graph.nounsWith(file);
      this.#nouns.set(file, nouns);
    }
    return nouns;
  }

  /** True for a data file that no test is known to read but that the next run may read. */
  #isUnknown(path: string): boolean {
    return !KNOWN.test(path) && !includes([...this.#reached], path);
  }
}

/** True if a list contains the path or a folder around it. */
function includes(list: readonly string[], path: string): boolean {
  return list.some((each) => each === path || (each.endsWith('/') && path.startsWith(each)));
}
