import { type HistoryReaders, historyReadersIn } from '../access/earlierVersions.ts';
import type { Reads, Runnable, SqlDialect } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import {
  type ContentNoun,
  contentNounOf,
  type Json,
  toNewMessage,
  versionOf,
  withoutContent,
} from './contentRefs.ts';
import {
  anyMessages,
  filesKnown,
  interactionsKnown,
  type MessageNow,
  type Part,
  smallMessages,
  threadsKnown,
  versionsKnown,
} from './contentRows.ts';

/** The `state` of a record that was deleted. */
export const GONE = '';

/** The columns of an event that its content depends on. `data` is null if it is large. */
export type ContentRow = Pick<RowOf<'event'>, 'type' | 'logId' | 'channelId' | 'contentOf' | 'version'> & {
  data: string | null;
  newMessage?: string | null;
};

/** The content of an earlier version, for viewers who may see it. */
export interface Earlier {
  data: string;
  creatorId: string;
  readers: HistoryReaders;
}

/** The record whose content an event shows. */
export interface Subject {
  id: string;
  /** A value that changes whenever the content changes. */
  state: string;
}

/** The current data of an event. */
interface Filled {
  data: string;
  subject?: Subject;
  /** Set if the event is about an earlier version of its message. `data` then has the current version. */
  earlier?: Earlier;
}

/** The content that an event references. */
interface Reference {
  noun: ContentNoun;
  id: string;
  /** The version of a message; null for other records. */
  version: number | null;
  /** The record with its content, in events from before versions existed. */
  inline: Json | undefined;
}

/** Reads the current content that a page of events references. Use it after reading the events. */
export class Contents {
  readonly #db: Reads;
  readonly #messages = new Map<string, MessageNow | undefined>();
  readonly #parts = new Map<string, Part | undefined>();
  readonly #versions = new Map<string, string>();
  #readers: HistoryReaders | undefined;

  constructor(db: Reads) {
    this.#db = db;
  }

  /** Reads the content referenced by these events, except large texts, which `fill` reads. */
  static async of(db: Reads, rows: readonly ContentRow[]): Promise<Contents> {
    const contents = new Contents(db);
    const references = rows.flatMap((row) => (row.newMessage ? [] : (referenceOf(row) ?? [])));
    if (references.length > 0) await contents.#read(references, smallMessages);
    return contents;
  }

  async #read(references: readonly Reference[], messages: typeof smallMessages): Promise<void> {
    const { dialect } = this.#db;
    const read = async <R extends Part>(
      noun: ContentNoun,
      statement: (dialect: SqlDialect, rows: readonly { id: string }[]) => Runnable<R>,
      into: Map<string, R | undefined>,
    ): Promise<void> => {
      const ids = new Set(references.filter((one) => one.noun === noun).map(({ id }) => id));
      if (ids.size === 0) return;
      const rows = [...ids].map((id) => ({ id }));
      const found = await this.#db.all(statement(dialect, rows));
      for (const id of ids) into.set(id, undefined);
      for (const row of found) into.set(row.id, row);
    };
    await Promise.all([
      read('message', messages, this.#messages),
      read<Part>('attachment', filesKnown, this.#parts),
      read<Part>('thread', threadsKnown, this.#parts),
      read<Part>('interaction', interactionsKnown, this.#parts),
    ]);
    await this.#readVersions(references);
  }

  /** Reads the earlier versions that events are about. */
  async #readVersions(references: readonly Reference[]): Promise<void> {
    const earlier = references.flatMap(({ noun, id, version: at, inline }) => {
      const now = noun === 'message' ? this.#messages.get(id) : undefined;
      return now && at !== null && at !== versionOf(now) && !inline ? [{ id, at }] : [];
    });
    if (earlier.length === 0) return;
    for (const { messageId, at, content } of await this.#db.all(versionsKnown(this.#db.dialect, earlier)))
      if (content !== null) this.#versions.set(`${messageId} ${at}`, content);
  }

  /** Whether `fill` has to read the event's content separately. */
  isLarge(row: ContentRow): boolean {
    return row.contentOf !== null && this.#messages.get(row.contentOf)?.record === null;
  }

  /** Returns the event's data, with the content filled in. */
  async fill(row: ContentRow & { data: string }): Promise<Filled> {
    if (row.newMessage) {
      const subject = { id: row.contentOf as string, state: String(row.version) };
      return { data: this.#textOf(row.newMessage), subject };
    }
    const reference = referenceOf(row);
    if (!reference) return { data: row.data };
    const { noun, id } = reference;
    const known = noun === 'message' ? this.#messages : this.#parts;
    if (!known.has(id) || this.#messages.get(id)?.record === null) await this.#read([reference], anyMessages);
    if (noun === 'message') {
      const now = this.#messages.get(id);
      const subject = { id, state: now ? String(versionOf(now)) : GONE };
      return { ...(await this.#fillMessage(row, reference, now)), subject };
    }
    const now = this.#parts.get(id);
    const record: Json = reference.inline ?? JSON.parse(row.data);
    const data = JSON.stringify(now ? { ...record, ...now } : withoutContent(noun, record));
    return { data, subject: { id, state: now ? String(now.name ?? typeof now.ephemeral) : GONE } };
  }

  async #fillMessage(
    row: ContentRow & { data: string },
    { id, version, inline }: Reference,
    now: MessageNow | undefined,
  ): Promise<Filled> {
    const isCurrent = now !== undefined && versionOf(now) === version;
    if (row.type === 'message.created' && isCurrent && now.isPlain && now.updatedAt === now.createdAt)
      return { data: this.#textOf(now.record as string) };
    const record = inline ? withoutContent('message', inline) : storedRecord(row);
    if (row.type === 'message.deleted') return { data: JSON.stringify(record) };
    if (!now) return { data: JSON.stringify({ ...record, content: '', redacted: true }) };
    const { content, attachments, blocks }: Json = JSON.parse(now.record as string);
    const current = {
      ...record,
      content,
      ...(attachments !== undefined && { attachments }),
      ...(blocks !== undefined && { blocks }),
    };
    if (isCurrent) return { data: JSON.stringify(current) };
    const before = inline?.content ?? this.#versions.get(`${id} ${version}`);
    const data = JSON.stringify({ ...current, redacted: true });
    if (before === undefined) return { data };
    const whole = JSON.stringify({ ...current, content: before });
    const readers = await this.#historyReaders(row.logId);
    return { data, earlier: { data: whole, creatorId: now.creatorId, readers } };
  }

  /**
   * Returns the stored record, formatted like the output of `JSON.stringify`: an event must have the same
   * text every time it is read.
   */
  #textOf(record: string): string {
    return this.#db.dialect.name === 'sqlite' ? record : JSON.stringify(JSON.parse(record));
  }

  async #historyReaders(serverId: string): Promise<HistoryReaders> {
    this.#readers ??= await historyReadersIn(this.#db, serverId);
    return this.#readers;
  }
}

/** Returns the stored record of a message's event, without content. */
function storedRecord({ data, logId, channelId, contentOf, version }: ContentRow & { data: string }): Json {
  const record = JSON.parse(data);
  if ('id' in record) return record;
  return toNewMessage(record, {
    logId,
    channelId,
    contentOf: contentOf as string,
    version: version as number,
  });
}

/**
 * Returns the content that an event references. Undefined for events without such content, and for events
 * that contain it but are too large to be read here.
 */
function referenceOf({ type, contentOf, version, data }: ContentRow): Reference | undefined {
  const noun = contentNounOf(type);
  if (!noun) return undefined;
  if (contentOf !== null) return { noun, id: contentOf, version, inline: undefined };
  if (data === null) return undefined;
  const inline = JSON.parse(data);
  if (typeof inline.id !== 'string') return undefined;
  return { noun, id: inline.id, version: noun === 'message' ? versionOf(inline) : null, inline };
}
