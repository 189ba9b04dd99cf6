import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The hash of each file in the repository. */
export type Snapshot = Record<string, string>;

/** A test file's last passing run on an engine. */
export interface Passed {
  /** The name of the snapshot that it ran on. */
  at: string;
  seconds: number;
  cpu: number;
  /** Files with functions that ran. A folder, whose path ends in `/`, stands for everything in it. */
  called: string[];
  /** Files that were read, started, listed (`/`) or checked for existence (`?`). */
  read: string[];
  /** The named functions that ran. `get` omits them: use `ran`. */
  functions?: string[];
}

/** Returns the hashes of the files below `root` that git tracks or would track. */
export function snapshotOf(root: string): Snapshot {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 }).split('\0');
  const isFile = (file: string) => statSync(join(root, file), { throwIfNoEntry: false })?.isFile();
  const files = [...new Set(listed)].filter((file) => file !== '' && isFile(file));
  return Object.fromEntries(files.sort().map((file) => [file, digest(readFileSync(join(root, file)))]));
}

const digest = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('base64url').slice(0, 16);

/**
 * The paths that differ between two snapshots. A path that is missing in one snapshot is also listed with
 * `?`, for tests that only check whether it exists.
 */
export function changedBetween(before: Snapshot, after: Snapshot): string[] {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return paths
    .filter((path) => before[path] !== after[path])
    .flatMap((path) => (before[path] && after[path] ? [path] : [path, `${path}?`]));
}

interface Stored {
  /** The Node version and other facts that every test depends on. */
  machine: string;
  snapshots: Record<string, Snapshot>;
  /** All paths. The lists in a record refer to them by index. */
  paths: string[];
  /** All functions. `functions` in a record has a bit for each of them, in base64. */
  functions: string[];
  passed: Record<
    string,
    Omit<Passed, 'called' | 'read' | 'functions'> & { called: number[]; read: number[]; functions: string }
  >;
}

const MACHINE = `3 ${process.version} ${process.platform} ${process.arch}`;
const NOTHING: Stored = { machine: MACHINE, snapshots: {}, paths: [], functions: [], passed: {} };

/** Bundling appends a number to names that occur in several files. */
const unbundled = (name: string): string => name.replace(/\d+$/, '');

function bitsOf(numbers: readonly number[]): string {
  const bits = Buffer.alloc(Math.ceil((Math.max(-1, ...numbers) + 1) / 8));
  for (const number of numbers) bits[number >> 3] = (bits[number >> 3] ?? 0) | (1 << (number & 7));
  return bits.toString('base64');
}

const hasBit = (bits: string, number: number): boolean =>
  number >= 0 && (((Buffer.from(bits, 'base64')[number >> 3] ?? 0) >> (number & 7)) & 1) === 1;

/** The records of this checkout, kept in a file: the last passing run of each test file on each engine. */
export class Records {
  readonly #file: string;
  #stored: Stored;
  readonly #added: Record<string, Snapshot> = {};
  /** Results since the last save; undefined for failed files. `save` merges them with those of other runs. */
  readonly #found = new Map<string, Passed | undefined>();

  constructor(file: string) {
    this.#file = file;
    this.#stored = readFrom(file);
  }

  get(key: string): Passed | undefined {
    if (this.#found.has(key)) return this.#found.get(key);
    const stored = this.#stored.passed[key];
    if (stored === undefined) return undefined;
    const named = (numbers: readonly number[]) => numbers.map((each) => this.#stored.paths[each] as string);
    const { functions: _bits, ...rest } = stored;
    return { ...rest, called: named(stored.called), read: named(stored.read) };
  }

  /** Whether a test file ran a function, given as the function's file, a space and its name. */
  ran(key: string, name: string): boolean {
    const bits = this.#stored.passed[key]?.functions;
    return bits !== undefined && hasBit(bits, this.#stored.functions.indexOf(unbundled(name)));
  }

  get keys(): string[] {
    return [...new Set([...Object.keys(this.#stored.passed), ...this.#found.keys()])];
  }

  snapshot(name: string): Snapshot {
    return this.#added[name] ?? this.#stored.snapshots[name] ?? {};
  }

  /** Stores a snapshot and returns its name. */
  addSnapshot(snapshot: Snapshot): string {
    const name = digest(JSON.stringify(snapshot));
    this.#added[name] = snapshot;
    return name;
  }

  set(key: string, passed: Passed): void {
    this.#found.set(key, passed);
  }

  delete(key: string): void {
    this.#found.set(key, undefined);
  }

  /**
   * Saves everything, merged with the results of concurrent runs. If the save is interrupted, the file stays
   * unchanged.
   */
  save(): void {
    const stored = readFrom(this.#file);
    Object.assign(stored.snapshots, this.#added);
    const paths = numberedIn(stored.paths);
    const functions = numberedIn(stored.functions);
    for (const [key, found] of this.#found)
      if (found === undefined) delete stored.passed[key];
      else
        stored.passed[key] = {
          ...found,
          called: paths(found.called),
          read: paths(found.read),
          functions: bitsOf(functions((found.functions ?? []).map(unbundled))),
        };
    const used = new Set(Object.values(stored.passed).map(({ at }) => at));
    for (const name of Object.keys(stored.snapshots)) if (!used.has(name)) delete stored.snapshots[name];
    mkdirSync(dirname(this.#file), { recursive: true });
    writeFileSync(`${this.#file}.${process.pid}`, JSON.stringify(stored));
    renameSync(`${this.#file}.${process.pid}`, this.#file);
    this.#stored = stored;
    this.#found.clear();
  }
}

/** Returns a function that returns the indexes of texts in a list, and adds the texts that are missing. */
function numberedIn(list: string[]): (texts: readonly string[]) => number[] {
  const numbers = new Map(list.map((text, index) => [text, index]));
  return (texts) =>
    texts.map((text) => {
      if (!numbers.has(text)) numbers.set(text, list.push(text) - 1);
      return numbers.get(text) as number;
    });
}

function readFrom(file: string): Stored {
  if (!existsSync(file)) return structuredClone(NOTHING);
  const stored = JSON.parse(readFileSync(file, 'utf8')) as Stored;
  return stored.machine === MACHINE ? stored : structuredClone(NOTHING);
}
