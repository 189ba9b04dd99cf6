import type { RowOf } from '../db/schema.ts';
import type { Quotas } from '../limits/quotas.ts';
import type { RuntimeSettings } from '../limits/runtime.ts';
import { ImportedEmoji } from './emoji.ts';
import type { Fetch } from './fetched.ts';
import { ImportedFiles } from './files.ts';
import { begin, finish } from './finish.ts';
import { Messages } from './messages.ts';
import { People } from './people.ts';
import { Places } from './places.ts';
import { type Report, Tally } from './report.ts';
import { requireRoomFor } from './room.ts';
import {
  type Archive,
  ArchiveRefused,
  type Ids,
  type ImportRow,
  type Kind,
  type MessageRow,
  type PersonRow,
  type ReadArchive,
  type SourceName,
  type ThreadRow,
} from './row.ts';
import { Seen } from './seen.ts';
import type { ImportServices, Target } from './target.ts';
import { Threads } from './threads.ts';

/** Rows per transaction. */
const BATCH_ROWS = 2_000;
/** Maximum characters of the texts in one transaction, to limit memory use. */
const BATCH_CHARACTERS = 2_000_000;

/** Limits an import, to leave capacity for other writes. */
export interface Pace {
  /** Rows and characters per transaction. */
  rows: number;
  characters: number;
  /** Called after each transaction with its duration, in ms. */
  rest(tookMs: number): Promise<void>;
}

/** Thrown by `onProgress` to cancel an import. */
export class Cancelled extends Error {}

const atOnce: Pace = { rows: BATCH_ROWS, characters: BATCH_CHARACTERS, rest: async () => {} };

/** Rows between two calls of `onProgress`. */
const REPORTED_ROWS = 100;

/** An import: an archive with its source, and the target server. */
export interface Import {
  services: ImportServices;
  server: RowOf<'server'>;
  source: SourceName;
  archive: Archive;
  read: ReadArchive;
  ids: Ids;
  /**
   * Whether existing users who are not members may join the server. False if an earlier import has already
   * included them.
   */
  isFirst: boolean;
  fetch: Fetch;
  quotas: Quotas;
  settings: Pick<RuntimeSettings, 'fileMegabytes' | 'personMegabytes' | 'storageMegabytes'>;
  pace?: Pace;
  /**
   * Whether the import will be retried after an error that is not about the archive. The retry then announces
   * the rows that this attempt has written.
   */
  isRetried?: boolean;
  /** Called with the number of rows read so far. Can throw to stop the import. */
  onProgress?(rows: number): void;
}

/**
 * Writes the rows of an archive; with `isDry`, only reports the effect. Idempotent: rows written by an
 * earlier import stay unchanged, so a killed import can be repeated. If the import fails, the rows written so
 * far remain and are announced (but see `isRetried`). Throws ArchiveRefused, or `StorageError`.
 */
export async function runImport(given: Import, { isDry }: { isDry: boolean }): Promise<Report> {
  const { services, server, source, archive, read, ids, isFirst, fetch, settings } = given;
  const tally = new Tally();
  const target: Target = {
    ...{ services, server, source, archive, ids, isFirst, tally, isDry },
    latest: services.deps.now(),
    ...{ maxFileBytes: settings.fileMegabytes * 1_000_000, hasOtherChanges: false },
  };
  const writer = new Writer(target, fetch, given.pace ?? atOnce);
  const isContinued = !isDry && (await begin(target));
  const { messages, people } = writer;
  const end = () =>
    finish(target, { greatest: messages.greatest, isContinued, placeholders: people.placeholders });
  let rows = 0;
  try {
    for await (const row of read(archive, ids)) {
      await writer.take(row);
      rows++;
      if (rows % REPORTED_ROWS === 0) given.onProgress?.(rows);
    }
    await writer.flush();
    given.onProgress?.(rows);
  } catch (error) {
    const isLastAttempt =
      given.isRetried !== true || error instanceof Cancelled || error instanceof ArchiveRefused;
    if (isLastAttempt && !isDry)
      await end().catch((failure) => {
        // The first error is more helpful, for example that the database is down.
        if (error instanceof Cancelled || error instanceof ArchiveRefused) throw failure;
      });
    throw error;
  }
  if (isDry) await requireRoomFor(given, writer.places, writer.files, tally);
  else await end();
  return tally.report(server.id);
}

/** The report's kind for each kind of row. Threads have none. */
const kindOf: Record<Exclude<ImportRow['row'], 'lost'>, Kind | undefined> = {
  person: 'people',
  channel: 'channels',
  conversation: 'conversations',
  message: 'messages',
  emoji: 'emoji',
  thread: undefined,
};

/** Consumes the rows of an archive in order, and writes them in batches. */
class Writer {
  readonly people: People;
  readonly places: Places;
  readonly files: ImportedFiles;
  readonly messages: Messages;
  readonly #target: Target;
  readonly #pace: Pace;
  readonly #threads: Threads;
  readonly #emoji: ImportedEmoji;
  #personRows: PersonRow[] = [];
  #threadRows: ThreadRow[] = [];
  #messageRows: MessageRow[] = [];
  #characters = 0;
  /** The ids of the rows so far, by kind of row. */
  readonly #seen = new Map<string, Seen>();

  constructor(target: Target, fetch: Fetch, pace: Pace) {
    this.#target = target;
    this.#pace = pace;
    this.people = new People(target);
    this.places = new Places(target, this.people);
    this.files = new ImportedFiles(target, fetch);
    this.#emoji = new ImportedEmoji(target, this.files, this.people);
    this.#threads = new Threads(target, this.people, this.places);
    const { people, places, files } = this;
    this.messages = new Messages({ target, people, places, files, threads: this.#threads });
  }

  async take(row: ImportRow): Promise<void> {
    if (row.row === 'lost') {
      const { tally } = this.#target;
      if (row.isKept) tally.note(row.kind, row.reason, row.count);
      else tally.lost(row.kind, row.reason, row.count);
      return;
    }
    if (this.#isRepeated(row)) {
      const kind = kindOf[row.row];
      if (kind) this.#target.tally.note(kind, 'is in the archive more than once, and counts once');
      return;
    }
    if (row.row === 'person') {
      this.#personRows.push(row);
      if (this.#personRows.length >= this.#pace.rows) await this.#flushPeople();
      return;
    }
    await this.#flushPeople();
    if (row.row === 'emoji') await this.#emoji.write(row);
    else if (row.row === 'channel') await this.places.channel(row);
    else if (row.row === 'conversation') await this.places.conversation(row);
    else if (row.row === 'thread') this.#threadRows.push(row);
    else {
      this.#messageRows.push(row);
      this.#characters += row.content.length;
    }
    const isFull =
      this.#messageRows.length + this.#threadRows.length >= this.#pace.rows ||
      this.#characters >= this.#pace.characters;
    if (isFull) await this.flush();
  }

  /** Whether the row is a duplicate, for example from a second export of a channel. */
  #isRepeated({ row, id }: Exclude<ImportRow, { row: 'lost' }>): boolean {
    const seen = this.#seen.get(row) ?? new Seen();
    this.#seen.set(row, seen);
    return !seen.add(id);
  }

  async #flushPeople(): Promise<void> {
    if (this.#personRows.length === 0) return;
    const rows = this.#personRows;
    this.#personRows = [];
    await this.#timed(() => this.people.write(rows));
  }

  async flush(): Promise<void> {
    await this.#flushPeople();
    const [threads, messages] = [this.#threadRows, this.#messageRows];
    this.#threadRows = [];
    this.#messageRows = [];
    this.#characters = 0;
    if (threads.length > 0) await this.#timed(() => this.#threads.write(threads));
    if (messages.length > 0) await this.#timed(() => this.messages.write(messages));
  }

  async #timed(write: () => Promise<void>): Promise<void> {
    const begun = performance.now();
    await write();
    await this.#pace.rest(performance.now() - begun);
  }
}
