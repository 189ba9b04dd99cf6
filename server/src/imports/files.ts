import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { Tx } from '../db/contract.ts';
import { insert } from '../db/statements.ts';
import type { Inspected } from '../files/media/inspect.ts';
import { nameFrom } from '../files/name.ts';
import { toShownAttachment } from '../resources/attached.ts';
import { inspectArrived, keepFile, storeArrived } from '../resources/received.ts';
import type { Fetch } from './fetched.ts';
import { knownFiles } from './known.ts';
import { ArchiveRefused, type FileRow } from './row.ts';
import type { Target } from './target.ts';

/** A stored file, or the reason why it could not be stored. */
export type Stored =
  | { file: Awaited<ReturnType<typeof storeArrived>>; name: string; sha256: string }
  | { reason: string };

/** The source of a file's bytes: the archive, a URL or a text. */
export type Bytes = Pick<FileRow, 'path' | 'url' | 'headers'> & { text?: string };

const NOT_FETCHED = 'could not be fetched';

/** The dry run has already checked the quotas. */
const NO_LIMITS = { personMegabytes: 0, storageMegabytes: 0 };

/** Stores the files of an archive, each under the id of its row. */
export class ImportedFiles {
  readonly #target: Target;
  readonly #fetch: Fetch;
  /** The total size in bytes of the files that a dry run has counted (`plan`), as stated by the archive. */
  bytes = 0;

  constructor(target: Target, fetch: Fetch) {
    this.#target = target;
    this.#fetch = fetch;
  }

  /** Whether the archive has a file at this path. */
  #isIn(path: string | null): path is string {
    return path !== null && this.#target.archive.has(path);
  }

  /** Returns the reason why a file cannot be imported, if that is known without reading it. */
  refusal({ path, url, text }: Bytes, maxBytes = this.#target.maxFileBytes): string | undefined {
    if (text !== undefined) return undefined;
    if (!this.#isIn(path)) return url === null ? 'is not in the archive' : undefined;
    const bytes = this.#target.archive.sizeOf(path) ?? 0;
    if (bytes === 0) return 'is empty';
    return bytes > maxBytes ? 'is larger than the file size limit' : undefined;
  }

  /** Finds files that currently cannot be fetched, for a dry run. */
  async unfetchable(files: Iterable<Bytes & { id: string }>): Promise<Map<string, Stored>> {
    const { maxFileBytes } = this.#target;
    const lost = new Map<string, Stored>();
    for (const { id, path, url, headers, text } of files) {
      if (text !== undefined || url === null || this.#isIn(path)) continue;
      if (!(await this.#fetch(url, headers, maxFileBytes, true))) lost.set(id, { reason: NOT_FETCHED });
    }
    return lost;
  }

  /** Adds a failure for each file of an existing message that an earlier import could not store. */
  async addMissing(
    stored: Map<string, Stored>,
    files: readonly { id: string; text?: string }[],
  ): Promise<void> {
    const asked = files.filter(({ text }) => text === undefined).map(({ id }) => ({ id }));
    if (asked.length === 0) return;
    const { read } = this.#target.services.db;
    const there = new Set((await read.all(knownFiles(read.dialect, asked))).map(({ id }) => id));
    for (const { id } of asked) if (!there.has(id)) stored.set(id, { reason: NOT_FETCHED });
  }

  /** Inspects a small file in a dry run. Returns the reason if it cannot be fetched. */
  async inspect(bytes: Bytes, maxBytes: number): Promise<Inspected | { reason: string }> {
    const stream = await this.#open(bytes, maxBytes);
    if (!stream) return { reason: NOT_FETCHED };
    const { services, server } = this.#target;
    const arrived = await services.files.incoming.take(bounded(stream, maxBytes));
    try {
      return await inspectArrived(arrived, server.id);
    } finally {
      await rm(arrived.path, { force: true });
    }
  }

  /** Counts the bytes of a file towards the quotas in a dry run. */
  plan({ path }: Bytes): void {
    this.bytes += (path === null ? 0 : this.#target.archive.sizeOf(path)) ?? 0;
  }

  /** Stores a file that is not referenced by a row yet. Throws ArchiveRefused, or StoreError. */
  async store(id: string, name: string, bytes: Bytes, maxBytes = this.#target.maxFileBytes): Promise<Stored> {
    const { services, server } = this.#target;
    const refusal = this.refusal(bytes, maxBytes);
    if (refusal !== undefined) return { reason: refusal };
    const stream = await this.#open(bytes, maxBytes);
    if (!stream) return { reason: NOT_FETCHED };
    const arrived = await services.files.incoming.take(bounded(stream, maxBytes));
    const paths = [arrived.path];
    try {
      const file = await storeArrived(services, arrived, { id, tenant: server.id, paths });
      return { file, name: nameFrom(name), sha256: arrived.sha256 };
    } finally {
      await Promise.all(paths.map((path) => rm(path, { force: true })));
    }
  }

  async #open(
    { path, url, headers, text }: Bytes,
    maxBytes: number,
  ): Promise<AsyncIterable<Buffer> | undefined> {
    if (text !== undefined) return Readable.from([Buffer.from(text)], { objectMode: false });
    if (this.#isIn(path)) return this.#target.archive.open(path);
    return url === null ? undefined : this.#fetch(url, headers, maxBytes);
  }

  /** Counts a stored file towards storage use, in the transaction that inserts its row. */
  async keep(tx: Tx, stored: Extract<Stored, { file: object }>): Promise<{ payerId: string }> {
    const { server } = this.#target;
    const payerId = server.creatorId;
    const { file, name, sha256 } = stored;
    const upload = { file: { ...file, name, payerId }, limits: NO_LIMITS, sha256 };
    await keepFile({ db: tx }, server.id, upload);
    return { payerId };
  }

  /** Inserts the row of a message's file. Returns the file as shown in its message. */
  async attach(
    tx: Tx,
    stored: Extract<Stored, { file: object }>,
    of: { createdAt: number; channelId: string; messageId: string; creatorId: string },
  ): Promise<object> {
    const { payerId } = await this.keep(tx, stored);
    const row = {
      ...{ ...stored.file, name: stored.name, payerId, serverId: this.#target.server.id },
      ...{ ...of, updatedAt: of.createdAt },
    };
    await tx.run(insert('attachment', row));
    return toShownAttachment(row);
  }
}

/** Creates a stream that fails after `most` bytes, because the archive then understated the file's size. */
function bounded(stream: AsyncIterable<Buffer>, most: number): Readable {
  return Readable.from(
    (async function* () {
      let bytes = 0;
      for await (const piece of stream) {
        bytes += piece.length;
        if (bytes > most) throw new ArchiveRefused('a file in the archive is larger than the archive states');
        yield piece;
      }
    })(),
    { objectMode: false },
  );
}
