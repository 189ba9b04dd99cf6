import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The digest of each file of the repository. */
export type Snapshot = Record<string, string>;

/** What a test file did on an engine when it last passed. */
export interface Passed {
  /** The name of the snapshot that it ran on. */
  at: string;
  seconds: number;
  cpu: number;
  /** Files of which a function ran; a folder, ending in `/`, stands for all in it. */
  called: string[];
  /** Files that were read or started; likewise. */
  read: string[];
}

/** Files that git tracks, or would, below `root`, with their digests. */
export function snapshotOf(root: string): Snapshot {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 }).split('\0');
  const isFile = (file: string) => statSync(join(root, file), { throwIfNoEntry: false })?.isFile();
  const files = [...new Set(listed)].filter((file) => file !== '' && isFile(file));
  return Object.fromEntries(files.sort().map((file) => [file, digest(readFileSync(join(root, file)))]));
}

const digest = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('base64url').slice(0, 16);

/** The paths that differ between two snapshots; one that either of them lacks also with a `?`, as those note it who only look for it. */
export function changedBetween(before: Snapshot, after: Snapshot): string[] {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return paths
    .filter((path) => before[path] !== after[path])
    .flatMap((path) => (before[path] && after[path] ? [path] : [path, `${path}?`]));
}

interface Stored {
  /** The version of Node and other facts that every test depends on. */
  machine: string;
  snapshots: Record<string, Snapshot>;
  /** All paths, by which the lists of a record are numbers. */
  paths: string[];
  passed: Record<string, Omit<Passed, 'called' | 'read'> & { called: number[]; read: number[] }>;
}

const MACHINE = `2 ${process.version} ${process.platform} ${process.arch}`;
const NOTHING: Stored = { machine: MACHINE, snapshots: {}, paths: [], passed: {} };

/** The records of this checkout: for each test file and engine what it did when it last passed. Kept in a file. */
export class Records {
  readonly #file: string;
  readonly #stored: Stored;
  readonly #numbers: Map<string, number>;

  constructor(file: string) {
    this.#file = file;
    this.#stored = readFrom(file);
    this.#numbers = new Map(this.#stored.paths.map((path, index) => [path, index]));
  }

  get(key: string): Passed | undefined {
    const found = this.#stored.passed[key];
    const named = (numbers: readonly number[]) => numbers.map((each) => this.#stored.paths[each] as string);
    return found && { ...found, called: named(found.called), read: named(found.read) };
  }

  get keys(): string[] {
    return Object.keys(this.#stored.passed);
  }

  snapshot(name: string): Snapshot {
    return this.#stored.snapshots[name] ?? {};
  }

  /** Keeps a snapshot and returns its name. */
  addSnapshot(snapshot: Snapshot): string {
    const name = digest(JSON.stringify(snapshot));
    this.#stored.snapshots[name] = snapshot;
    return name;
  }

  set(key: string, { called, read, ...passed }: Passed): void {
    const numbered = (paths: readonly string[]) => paths.map((path) => this.#numberOf(path));
    this.#stored.passed[key] = { ...passed, called: numbered(called), read: numbered(read) };
  }

  delete(key: string): void {
    delete this.#stored.passed[key];
  }

  /** Writes everything; what is interrupted leaves the file as it was. */
  save(): void {
    const used = new Set(Object.values(this.#stored.passed).map(({ at }) => at));
    for (const name of Object.keys(this.#stored.snapshots))
      if (!used.has(name)) delete this.#stored.snapshots[name];
    mkdirSync(dirname(this.#file), { recursive: true });
    writeFileSync(`${this.#file}.new`, JSON.stringify(this.#stored));
    renameSync(`${this.#file}.new`, this.#file);
  }

  #numberOf(path: string): number {
    let number = this.#numbers.get(path);
    if (number === undefined) {
      number = this.#stored.paths.push(path) - 1;
      this.#numbers.set(path, number);
    }
    return number;
  }
}

function readFrom(file: string): Stored {
  if (!existsSync(file)) return structuredClone(NOTHING);
  const stored = JSON.parse(readFileSync(file, 'utf8')) as Stored;
  return stored.machine === MACHINE ? stored : structuredClone(NOTHING);
}
