/**
 * The neutral rows that every import goes through. A reader (`imports/<source>/`) produces them from an archive, and the
 * writer (`write.ts`) writes them. Palaver's own export (`export/`) has the same rows, as JSON Lines.
 *
 * The order of a reader's rows:
 *
 * 1. `person`, `emoji`, `channel` and `conversation` rows, in any order, but a person before the rows that name them.
 * 2. `message` and `thread` rows, in any order, except that a thread comes after the message it hangs on and before its
 *    replies. A message carries its files, reactions and pin.
 * 3. `lost` rows anywhere.
 *
 * A row names others by id. `idsFor` derives ids from the source's own and their time, so importing again yields the same
 * ids, without a mapping. A reader that meets a reference to a message without its time reads that time ahead.
 *
 * `archive.ts` opens folders, zip and tar files as an `Archive`; it belongs to the readers, as do their folders. Readers
 * never write, fetch or log: they only yield rows.
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

/** A person or agent who wrote, reacted, or was a member. The writer finds the user, or adds one without an account. */
export interface PersonRow {
  row: 'person';
  id: string;
  /** Milliseconds since the Unix epoch; 0 if unknown. */
  createdAt: number;
  /** As in the source; the writer makes it valid and unique. Mentions use `mentionOf`, never this name. */
  username: string;
  name: string;
  type: 'person' | 'agent';
  /** An address that the source has verified. A member here with this verified address is the same person. */
  email?: string | null;
  /** Whether they are still a member of the server. */
  isMember: boolean;
}

export interface ChannelRow {
  row: 'channel';
  id: string;
  createdAt: number;
  name: string;
  description: string | null;
  /** The name of the category that it is listed under. */
  category: string | null;
  /** A private channel is seen by its `memberIds` (and admins) only. The writer adds a role for them. */
  private: boolean;
  /** The members of a private channel; empty for others. */
  memberIds: readonly string[];
  /** Only admins and moderators write in it, such as in an archived channel. */
  readonly: boolean;
  /** Null for the importer. */
  creatorId: string | null;
}

/** A direct message or a group. One with the same members is the same conversation. */
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
  /** The message it hangs on; null if there is none, such as for a topic or if that message was deleted. */
  messageId: string | null;
  name: string | null;
  creatorId: string | null;
  locked: boolean;
}

/** A reaction of one user, or `count` reactions of which the source has no names (`userId` null). */
export interface Reaction {
  /** An emoji, or the name of a custom one between colons: `:party_parrot:`. */
  emoji: string;
  userId: string | null;
  /** 1 if `userId` is given. */
  count: number;
  /** Left out by sources without them: the writer derives the id, and takes the message's time. */
  id?: string;
  createdAt?: number;
}

/** A file of a message. The bytes are at `path` in the archive, or at `url`. */
export interface FileRow {
  id: string;
  name: string;
  /** Its path in the archive, as `Archive.open` takes it; null if it is not there. */
  path: string | null;
  /** Where it can be fetched while the link is valid, with these headers; null if nowhere. */
  url: string | null;
  headers?: Readonly<Record<string, string>>;
  /** The size that the source states, in bytes; null if unknown. */
  bytes: number | null;
  /** The SHA-256 in hexadecimal that the bytes must have; null if unknown. */
  sha256?: string | null;
  createdAt?: number;
  /** By default the author of the message. */
  creatorId?: string | null;
}

export interface MessageRow {
  row: 'message';
  id: string;
  /** Milliseconds since the Unix epoch. Before 1990 or more than a day ahead, the writer refuses the archive. */
  createdAt: number;
  editedAt: number | null;
  /** A channel or conversation. */
  channelId: string;
  /** Null for a system line. */
  creatorId: string | null;
  /** A system line: the source's own notice, such as a renamed channel. Omit joins. */
  isSystem: boolean;
  /** Markdown, of any length, with `mentionOf`, `channelMentionOf` and `messageLinkOf` for references. */
  content: string;
  threadId: string | null;
  /** The message it answers. It may come later, or be missing. */
  replyToId: string | null;
  files: readonly FileRow[];
  reactions: readonly Reaction[];
  /** The writer takes the message's time and author, unless the source has others. */
  pin: { id?: string; createdAt?: number; creatorId?: string | null } | null;
}

/** Something in the archive that does not become a row, or not as it was. Counted as found, and as lost unless `isKept`. */
export interface LostRow {
  row: 'lost';
  kind: Kind;
  /** A sentence fragment for the report, without names or ids, so that equal reasons add up: `has no author`. */
  reason: string;
  count: number;
  /** Only a note about what another row imports, such as `name of a canvas instead of its content`. Not counted. */
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
  /** Without colons. */
  name: string;
  path: string | null;
  url: string | null;
  creatorId: string | null;
}

/** The files of an archive, whichever form it has. Paths have slashes, no leading one, and no `..`. */
export interface Archive {
  /** All paths in byte order. */
  readonly paths: readonly string[];
  has(path: string): boolean;
  /** The uncompressed size in bytes, as stated; the reading ends with an error if it is wrong. */
  sizeOf(path: string): number | undefined;
  /** Throws ArchiveRefused if there is no such file, or if its bytes do not match what the archive states. */
  open(path: string): Promise<AsyncIterable<Buffer>>;
  close(): Promise<void>;
}

/** The archive is damaged, hostile or of another source. The message is for the person who imports it. */
export class ArchiveRefused extends Error {}

/**
 * A reader of one source: the default export of `imports/<source>/index.ts`. Called for the dry run and for the real run;
 * both must yield the same rows. Memory must not grow with the number of messages, except by ids. Throws ArchiveRefused.
 */
export type ReadArchive = (archive: Archive, ids: Ids) => AsyncIterable<ImportRow>;

/** Derives ids for one import. */
export type Ids = (noun: Noun, sourceId: string, time: number) => string;

/**
 * The ids of rows from one source in one server: a UUIDv7 of the time (in ms; 0 if unknown), whose other 74 bits are from
 * the SHA-256 of the server, the source, the noun and the id in the source.
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
 * References in texts. They stand between two private-use characters until the writer knows the names: usernames and
 * channels may get other names here.
 */
const [OPEN, CLOSE] = ['\u{f57a0}', '\u{f57a1}'];

/** Stands for `@username` of a person in a text. */
export const mentionOf = (personId: string): string => `${OPEN}@${personId}${CLOSE}`;

/** Stands for `#name` of a channel in a text. */
export const channelMentionOf = (channelId: string): string => `${OPEN}#${channelId}${CLOSE}`;

/** Stands for the address of a message in a text. */
export const messageLinkOf = (channelId: string, messageId: string): string =>
  `${OPEN}>${channelId}/${messageId}${CLOSE}`;

const references = new RegExp(`${OPEN}([@#>])([0-9a-f-]{36})(?:/([0-9a-f-]{36}))?${CLOSE}`, 'gu');

/** Replaces the references in a text. */
export const withReferences = (
  text: string,
  named: (mark: '@' | '#' | '>', id: string, messageId: string | undefined) => string,
): string =>
  text.includes(OPEN)
    ? text
        .replace(references, (_, mark, id, messageId) => named(mark, id, messageId))
        .replace(/[\u{f57a0}\u{f57a1}]/gu, '')
    : text;
