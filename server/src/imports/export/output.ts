import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import {
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileDigest } from '../../lib/fileDigest.ts';
import { type LineFile, pathOfLines } from './format.ts';
import type { Lines } from './lines.ts';
import { ExportTooLarge } from './refused.ts';

const STATE = '.export.json';

/** The progress of an export. */
export interface Progress {
  /** Identifies the exported data. An export resumes only one with the same scope. */
  scope: string;
  /** Messages up to this id are exported. */
  until: string;
  /** The channels that are complete. */
  done: { id: string; title: string; pages: number; messages: number }[];
  /** The current channel, and the last message that was exported from it. */
  channelId: string | null;
  after: string;
  pages: number;
  messages: number;
  /** The size of each JSON Lines file, in bytes. */
  bytes: Partial<Record<LineFile, number>>;
}

interface OutputOptions {
  /** The JSON Lines files to write. */
  names: readonly LineFile[];
  /** Maximum bytes of all files. */
  maxBytes: number;
}

/**
 * The folder of an export. Lines are appended to its files, and progress is saved after each page. Methods that
 * write, and `begin`, may throw ExportTooLarge.
 */
export class Output<P extends Progress = Progress> {
  readonly folder: string;
  readonly #names: readonly LineFile[];
  readonly #maxBytes: number;
  readonly #handles = new Map<LineFile, FileHandle>();
  /** Total size of all files so far, in bytes. */
  #bytes = 0;

  constructor(folder: string, { names, maxBytes }: OutputOptions) {
    this.folder = folder;
    this.#names = names;
    this.#maxBytes = maxBytes;
  }

  /** Resumes an interrupted export, or starts one in an empty folder. Undefined for any other folder. */
  async begin(fresh: P): Promise<P | undefined> {
    await mkdir(join(this.folder, 'files'), { recursive: true, mode: 0o700 });
    await mkdir(join(this.folder, 'html'), { recursive: true, mode: 0o700 });
    const progress = await this.#saved();
    if (progress?.scope !== fresh.scope) {
      const names = (await readdir(this.folder)).filter((name) => name !== 'files' && name !== 'html');
      if (names.length > 0 || (await readdir(this.path('files'))).length > 0) return undefined;
      await this.save(fresh);
    }
    const state = progress?.scope === fresh.scope ? progress : fresh;
    for (const name of this.#names) {
      const handle = await open(this.path(pathOfLines(name)), 'a', 0o600);
      this.#handles.set(name, handle);
      await handle.truncate(state.bytes[name] ?? 0);
      this.#count(state.bytes[name] ?? 0);
    }
    for (const folder of ['files', 'html'])
      for (const name of await readdir(this.path(folder)))
        this.#count((await stat(this.path(`${folder}/${name}`))).size);
    return state;
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#maxBytes) throw new ExportTooLarge(this.#maxBytes);
  }

  async #saved(): Promise<P | undefined> {
    try {
      return JSON.parse(await readFile(this.path(STATE), 'utf8')) as P;
    } catch {
      return undefined;
    }
  }

  async save(progress: P): Promise<void> {
    const fresh = this.path(`${STATE}.new`);
    await writeFile(fresh, JSON.stringify(progress), { mode: 0o600 });
    await rename(fresh, this.path(STATE));
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  async append(lines: Lines, progress: Progress): Promise<void> {
    for (const [name, text] of lines) {
      const bytes = Buffer.from(text);
      this.#count(bytes.length);
      await (this.#handles.get(name) as FileHandle).appendFile(bytes);
      progress.bytes[name] = (progress.bytes[name] ?? 0) + bytes.length;
    }
  }

  async write(name: string, text: string): Promise<void> {
    this.#count(Buffer.byteLength(text));
    await writeFile(this.path(name), text, { mode: 0o600 });
  }

  /** Copies a file into `files/`, named by its SHA-256. */
  async copy(bytes: Readable): Promise<{ sha256: string; bytes: number }> {
    const hash = createHash('sha256');
    let size = 0;
    const path = this.path(`.${randomUUID()}`);
    const most = this.#maxBytes - this.#bytes;
    const tooLarge = () => new ExportTooLarge(this.#maxBytes);
    const counted = async function* (source: AsyncIterable<Buffer>) {
      for await (const piece of source) {
        hash.update(piece);
        size += piece.length;
        if (size > most) throw tooLarge();
        yield piece;
      }
    };
    try {
      await pipeline(bytes, counted, createWriteStream(path, { mode: 0o600 }));
      const sha256 = hash.digest('hex');
      const place = this.path(`files/${sha256}`);
      if (!existsSync(place)) this.#count(size);
      await rename(path, place);
      return { sha256, bytes: size };
    } finally {
      await rm(path, { force: true });
    }
  }

  /** Streams the records of a JSON Lines file. */
  async *lines(name: LineFile): AsyncGenerator<Record<string, unknown>> {
    const input = createReadStream(this.path(pathOfLines(name)));
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }))
      yield JSON.parse(line) as Record<string, unknown>;
  }

  /** Returns all files by path, in byte order, with their checksums. */
  async summed(): Promise<{ path: string; bytes: number; sha256: string }[]> {
    const paths = [
      ...this.#names.map(pathOfLines),
      'index.html',
      ...(await readdir(this.path('html'))).map((name) => `html/${name}`),
      ...(await readdir(this.path('files'))).map((name) => `files/${name}`),
    ].sort();
    const all = [];
    for (const path of paths) {
      const { size: bytes } = await stat(this.path(path));
      const isNamedBySum = path.startsWith('files/');
      const sha256 = isNamedBySum ? path.slice('files/'.length) : await fileDigest(this.path(path));
      all.push({ path, bytes, sha256 });
    }
    return all;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#handles.values()].map((handle) => handle.close()));
  }

  /** Marks the export as complete. */
  async finish(): Promise<void> {
    await rm(this.path(STATE), { force: true });
    for (const name of await readdir(this.folder))
      if (name.startsWith('.')) await rm(this.path(name), { force: true });
  }
}
