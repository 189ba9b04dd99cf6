import type { Static, TSchema } from 'typebox';
import type { Principal } from '../access/principal.ts';
import type { Reader } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import type { LogPosition } from '../feed/eventId.ts';
import type { RowsPart } from '../operations/joined.ts';
import type { Sight } from './serverState/channelRows.ts';
import type { ServerState } from './serverState/serverState.ts';

/** A direct message in a snapshot. */
export interface ListedConversation
  extends Omit<RowOf<'channel'>, 'nameKey' | 'isBeingSwept' | 'roleIds' | 'memberIds'> {
  roleIds: string[];
  memberIds: string[] | null;
  /** Null if the direct message has no messages. */
  latestMessageId: string | null;
}

/** The person and the server of a snapshot, with everything that has been read so far. */
export interface SnapshotOf {
  db: Reader;
  /** Milliseconds since the Unix epoch. */
  now: number;
  serverId: string;
  userId: string;
  /** The person as a member of the server, read from the database. */
  viewer: Principal & { serverId: string };
  /** The log position of the snapshot's cursor. */
  place: LogPosition;
  /** The cached state of the server, at that position or later. */
  state: ServerState;
  /** The channels visible to the person, and the roles of the server. */
  sight: Sight;
  /** The person's latest direct messages in the server, each with the id of its latest message. */
  conversations: ListedConversation[];
}

/**
 * A field of the snapshot, defined by its noun. It is read after the snapshot's cursor, so every change to it
 * must emit an event, and applying those events must be idempotent. It takes a constant number of statements
 * regardless of the number of members and messages.
 */
export interface SnapshotPart<S extends TSchema = TSchema> {
  schema: S;
  read(of: SnapshotOf): Promise<Part<S>> | Part<S>;
}

/** The value of a part. If it contains a long list, `rows` are the elements, and the list is empty. */
interface Part<S extends TSchema> {
  value: Static<S>;
  rows?: RowsPart;
}

/**
 * A field of the snapshot that depends only on the channels a person can see, and is the same for everyone
 * who can see the same channels.
 */
export interface SharedSnapshotPart<S extends TSchema = TSchema> {
  schema: S;
  read(sight: Sight): Static<S>;
}

/** Defines a part. */
export const snapshotPart = <S extends TSchema>(part: SnapshotPart<S>): SnapshotPart<S> => part;

/** Defines a shared part. */
export const sharedPart = <S extends TSchema>(part: SharedSnapshotPart<S>): SharedSnapshotPart<S> => part;
