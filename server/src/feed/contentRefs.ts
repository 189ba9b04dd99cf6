/**
 * Events about the nouns below, and the stored responses of operations on them, do not contain the content
 * that members wrote. They reference the row with the content, and readers fill in the current content.
 * Deleted content is therefore gone from the log, too.
 */

/**
 * The nouns whose records have such content: the text, files and blocks of messages, file names, names of
 * threads, values of and responses to interactions.
 */
export type ContentNoun = 'message' | 'attachment' | 'thread' | 'interaction';

const nouns: ReadonlySet<string> = new Set<ContentNoun>(['message', 'attachment', 'thread', 'interaction']);

export type Json = Record<string, unknown>;

/** Replaces the name of a deleted file. */
const DELETED_FILE = 'deleted';

/** Returns the noun of a resource or an event type; undefined if its records have no such content. */
export function contentNounOf(type: string): ContentNoun | undefined {
  const dot = type.indexOf('.');
  const noun = dot < 0 ? type : type.slice(0, dot);
  return nouns.has(noun) ? (noun as ContentNoun) : undefined;
}

/** Returns a record without its content. */
export function withoutContent(noun: ContentNoun, record: Json): Json {
  switch (noun) {
    case 'message': {
      const { attachments: _attachments, blocks: _blocks, ...rest } = record;
      return { ...rest, content: '' };
    }
    case 'attachment':
      return { ...record, name: DELETED_FILE, thumbhash: null };
    case 'thread':
      return { ...record, name: null };
    case 'interaction':
      return { ...record, value: null, options: null, ephemeral: null };
  }
}

interface Sent {
  id: string;
  type: string;
  creatorId: string;
  threadId: string | null;
  replyToId: string | null;
  createdAt: number;
  editedAt: number | null;
  stream?: string | null;
}

/** Returns the time of a message's version. */
export const versionOf = ({ createdAt, editedAt }: Pick<Sent, 'createdAt' | 'editedAt'>): number =>
  editedAt ?? createdAt;

/** The data of an event as it is stored. */
export interface StoredData {
  json: string;
  contentOf: string | null;
  version: number | null;
}

/** Returns the data of an event without content; undefined if the event has no content. */
export function toStored(type: string, data: unknown): StoredData | undefined {
  // Most events are about new messages. The other fields can be derived from the event's columns.
  if (type === 'message.created') {
    const { id: contentOf, createdAt: version, type, creatorId, threadId, replyToId, stream } = data as Sent;
    const rest = { type, creatorId, threadId, replyToId, ...(stream && { stream }) };
    return { json: JSON.stringify(rest), contentOf, version };
  }
  const noun = contentNounOf(type);
  if (!noun) return undefined;
  const json = JSON.stringify(withoutContent(noun, data as Json));
  const { id: contentOf } = data as Sent;
  return { json, contentOf, version: noun === 'message' ? versionOf(data as Sent) : null };
}

/**
 * Restores the record of a new message from its event, which stores only the fields that cannot be derived.
 */
export function toNewMessage(
  rest: Pick<Sent, 'type' | 'creatorId' | 'threadId' | 'replyToId' | 'stream'>,
  row: { logId: string; channelId: string | null; contentOf: string; version: number },
): Json {
  const { type, creatorId, threadId, replyToId, stream = null } = rest;
  const { logId: serverId, channelId, contentOf: id, version: createdAt } = row;
  const isThreadReply = threadId !== null;
  const now = { id, serverId, type, channelId, isThreadReply, creatorId, content: '', deleted: false };
  const none = { editedAt: null, threadId, replyToId, pinned: false, reactions: [] };
  return { ...now, ...none, createdAt, updatedAt: createdAt, stream };
}
