/**
 * The neutral rows that every import goes through. A reader (`imports/<source>/`) produces them from an
 * archive, and the writer (`import.ts`) writes them. Palaver's own export (`export/`) has the same rows, as
 * JSON Lines.
 *
 * The order of a reader's rows:
 *
 * 1. `person`, `emoji`, `channel` and `conversation` rows, in any order, but a person before the rows that
 *    name them.
 * 2. `message` and `thread` rows, in any order, except that a thread comes after its root message and before
 *    its replies. A message carries its files, reactions and pin.
 * 3. `lost` rows anywhere.
 *
 * A row names others by id. `idsFor` derives ids from the source's own and their time, so importing again
 * yields the same ids, without a mapping. A reader that finds a reference to a message without its time looks
 * up that time first.
 *
 * `archive.ts` opens folders, zip and tar files as an `Archive`. Readers never write to the database, fetch
 * or log: they only yield rows.
 */

import { hash } from 'node:crypto';
import { importKinds, importSources } from '../db/tables/import.ts';

export const sources = importSources;
export type SourceName = (typeof sources)[number];

export const kinds = importKinds;
export type Kind = (typeof kinds)[number];

/** Kinds of rows whose ids are derived from the source. */
export type Noun =
  | 'person'
  | 'channel'
  | 'conversation'
  | 'thread'
  | 'message'
  | 'file'
  | 'emoji'
  | 'reaction'
  | 'pin';

/**
 * A person or agent who is an author, is a member, or has reacted. The writer finds the user, or adds one
 * without an account.
 */
export interface PersonRow {
  row: 'person';
  id: string;
  /** Milliseconds since the Unix epoch; 0 if unknown. */
  createdAt: number;
  /**
   * The username in the source; the writer makes it valid and unique. For mentions, use `mentionOf` instead
   * of this name.
   */
  username: string;
  name: string;
  type: 'person' | 'agent';
  /**
   * An address that the source has verified. Matches an existing user with the same verified address.
   */
  email?: string | null;
  /** Whether the person is still a member of the server. */
  isMember: boolean;
}

export interface ChannelRow {
  row: 'channel';
  id: string;
  createdAt: number;
  name: string;
  description: string | null;
  /** The name of the channel's category. */
  category: string | null;
  /**
   * Whether only the users in `memberIds` and admins can see the channel. The writer adds a role for them.
   */
  private: boolean;
  /** The members of a private channel; empty for others. */
  memberIds: readonly string[];
  /** Whether only admins and moderators can write in the channel, for example because it was archived. */
  readonly: boolean;
  /** The creator; null for the owner of the server. */
  creatorId: string | null;
}

/** A direct message or group. Conversations with the same members are treated as one. */
export interface ConversationRow {
  row: 'conversation';
  id: string;
  createdAt: number;
  name: string | null;
  /** All members, two or more. */
  memberIds: readonly string[];
  creatorId: string | null;
}

export interface ThreadRow {
  row: 'thread';
  id: string;
  createdAt: number;
  channelId: string;
  /** The root message; null if it was deleted or if there is none, as for a topic. */
  messageId: string | null;
  name: string | null;
  creatorId: string | null;
  locked: boolean;
}

/** A reaction by one user, or `count` reactions whose users the source does not name (`userId` null). */
export interface Reaction {
  /** An emoji, or the name of a custom one between colons: `:party_parrot:`. */
  emoji: string;
  userId: string | null;
  /** The number of reactions; 1 if `userId` is given. */
  count: number;
  /** Omitted by sources without ids. The writer then derives the id and uses the message's time. */
  id?: string;
  createdAt?: number;
}

/** A message's file. The bytes are at `path` in the archive, or at `url`. */
export interface FileRow {
  id: string;
  name: string;
  /**
   * The path of the file in the archive, as passed to `Archive.open`; null if the archive does not contain
   * it.
   */
  path: string | null;
  /**
   * The URL from which the file can be fetched while the link is valid, with these headers; null if there is
   * none.
   */
  url: string | null;
  headers?: Readonly<Record<string, string>>;
  /** The size in bytes, as stated by the source; null if unknown. */
  bytes: number | null;
  createdAt?: number;
  /** The user who uploaded the file. Defaults to the author of the message. */
  creatorId?: string | null;
}

export interface MessageRow {
  row: 'message';
  id: string;
  /**
   * Milliseconds since the Unix epoch. The writer rejects archives with times before 1990 or more than a day
   * ahead.
   */
  createdAt: number;
  editedAt: number | null;
  /** A channel or conversation. */
  channelId: string;
  /** The author; null for a system message. */
  creatorId: string | null;
  /** Whether this is a system message, such as one about a renamed channel. Omit joins. */
  isSystem: boolean;
  /** Markdown of any length, with references from `mentionOf`, `channelMentionOf` and `messageLinkOf`. */
  content: string;
  threadId: string | null;
  /** The message to which this message replies. That message may come later or be missing. */
  replyToId: string | null;
  files: readonly FileRow[];
  reactions: readonly Reaction[];
  /** The time and the author of the pin, which default to the message's. */
  pin: { id?: string; createdAt?: number; creatorId?: string | null } | null;
}

/**
 * Content of the archive that does not become a row, or only in another form. It counts as found and as lost,
 * unless `isKept` is set.
 */
export interface LostRow {
  row: 'lost';
  kind: Kind;
  /**
   * A sentence fragment for the report. It contains no names or ids, because equal reasons are counted
   * together: `has no author`.
   */
  reason: string;
  count: number;
  /**
   * True if the content is imported in another form, such as a canvas as a file, or is left out on purpose,
   * such as a join. The reason is then listed in the report, but changes no counts.
   */
  isKept?: boolean;
}

export type ImportRow =
  | PersonRow
  | ChannelRow
  | ConversationRow
  | ThreadRow
  | MessageRow
  | LostRow
  | EmojiRow;

export interface EmojiRow {
  row: 'emoji';
  id: string;
  createdAt: number;
  /** The name, without colons. */
  name: string;
  path: string | null;
  url: string | null;
  creatorId: string | null;
}

/**
 * The files of an archive, independent of its format. Paths use slashes, without a leading one, and contain
 * no `..`.
 */
export interface Archive {
  /** All paths, sorted. */
  readonly paths: readonly string[];
  has(path: string): boolean;
  /** Returns the uncompressed size in bytes, as stated by the archive. Reading fails if it is wrong. */
  sizeOf(path: string): number | undefined;
  /**
   * Opens a file. Throws ArchiveRefused if the file does not exist, or if its bytes do not match the
   * archive's size or checksum.
   */
  open(path: string): Promise<AsyncIterable<Buffer>>;
  close(): Promise<void>;
}

/**
 * Thrown if the archive is damaged, hostile or from another source. The message is for the person who imports
 * it.
 */
export class ArchiveRefused extends Error {}

/**
 * A reader of one source: the default export of `imports/<source>/index.ts`. Called for the dry run and for
 * the real run; both must yield the same rows. Memory use must not grow with the number of messages, except
 * for ids. Throws ArchiveRefused.
 */
export type ReadArchive = (archive: Archive, ids: Ids) => AsyncIterable<ImportRow>;

/** Derives ids for one import. */
export type Ids = (noun: Noun, sourceId: string, time: number) => string;

/**
 * Returns the ids of rows from one source in one server: UUIDv7s with the time (in ms; 0 if unknown), whose
 * other 74 bits are from the SHA-256 of the server, the source, the noun and the source's id.
 */
export const idsFor =
  (serverId: string, source: SourceName): Ids =>
  (noun, sourceId, time) => {
    const digest = hash('sha256', JSON.stringify([serverId, source, noun, sourceId]), 'hex');
    const at = Math.min(Math.max(Math.floor(time), 0), 0xffff_ffff_ffff)
      .toString(16)
      .padStart(12, '0');
    const variant = ((Number.parseInt(digest.slice(3, 4), 16) & 3) | 8).toString(16);
    return `${at.slice(0, 8)}-${at.slice(8)}-7${digest.slice(0, 3)}-${variant}${digest.slice(4, 7)}-${digest.slice(7, 19)}`;
  };

/*
 * References in texts. They are enclosed in two private-use characters until the writer knows the names,
 * because the import may rename users and channels.
 */
const [OPEN, CLOSE] = ['\u{f57a0}', '\u{f57a1}'];

/** Returns the placeholder for a mention of a person in a text. */
export const mentionOf = (personId: string): string => `${OPEN}@${personId}${CLOSE}`;

/** Returns the placeholder for a mention of a channel in a text. */
export const channelMentionOf = (channelId: string): string => `${OPEN}#${channelId}${CLOSE}`;

/** Returns the placeholder for the URL of a message in a text. */
export const messageLinkOf = (channelId: string, messageId: string): string =>
  `${OPEN}>${channelId}/${messageId}${CLOSE}`;

const references = new RegExp(`${OPEN}([@#>])([0-9a-f-]{36})(?:/([0-9a-f-]{36}))?${CLOSE}`, 'gu');

/** Resolves the references in a text. */
export const withReferences = (
  text: string,
  named: (mark: '@' | '#' | '>', id: string, messageId: string | undefined) => string,
): string =>
  text.includes(OPEN)
    ? text
        .replace(references, (_, mark, id, messageId) => named(mark, id, messageId))
        .replace(/[\u{f57a0}\u{f57a1}]/gu, '')
    : text;
