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
  passed: Record<string, Omit<Passed, 'called' | 'read'> & { called: number[]; read: number[] }>;
}

const MACHINE = `2 ${process.version} ${process.platform} ${process.arch}`;
const NOTHING: Stored = { machine: MACHINE, snapshots: {}, paths: [], passed: {} };

/** The records of this checkout, kept in a file: the last passing run of each test file on each engine. */
export class Records {
  readonly #file: string;
  #stored: Stored;
  readonly #added: Record<string, Snapshot> = {};
  /** This process's results, which are merged with those of concurrent runs. Undefined for a file that failed. */
  readonly #found = new Map<string, Passed | undefined>();

  constructor(file: string) {
    this.#file = file;
    this.#stored = readFrom(file);
  }

  get(key: string): Passed | undefined {
    if (this.#found.has(key)) return this.#found.get(key);
    const stored = this.#stored.passed[key];
    const named = (numbers: readonly number[]) => numbers.map((each) => this.#stored.paths[each] as string);
    return stored && { ...stored, called: named(stored.called), read: named(stored.read) };
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
    const numbers = new Map(stored.paths.map((path, index) => [path, index]));
    const numbered = (paths: readonly string[]) =>
      paths.map((path) => {
        if (!numbers.has(path)) numbers.set(path, stored.paths.push(path) - 1);
        return numbers.get(path) as number;
      });
    for (const [key, found] of this.#found)
      if (found === undefined) delete stored.passed[key];
      else stored.passed[key] = { ...found, called: numbered(found.called), read: numbered(found.read) };
    const used = new Set(Object.values(stored.passed).map(({ at }) => at));
    for (const name of Object.keys(stored.snapshots)) if (!used.has(name)) delete stored.snapshots[name];
    mkdirSync(dirname(this.#file), { recursive: true });
    writeFileSync(`${this.#file}.${process.pid}`, JSON.stringify(stored));
    renameSync(`${this.#file}.${process.pid}`, this.#file);
    this.#stored = stored;
  }
}

function readFrom(file: string): Stored {
  if (!existsSync(file)) return structuredClone(NOTHING);
  const stored = JSON.parse(readFileSync(file, 'utf8')) as Stored;
  return stored.machine === MACHINE ? stored : structuredClone(NOTHING);
}
