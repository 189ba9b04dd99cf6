import type { Static, TSchema } from 'typebox';
import type { Principal } from '../access/principal.ts';
import type { Reader } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';

/** The person and server of a snapshot, with everything read so far. */
export interface SnapshotOf {
  db: Reader;
  /** Milliseconds since the Unix epoch. */
  now: number;
  serverId: string;
  userId: string;
  /** The person as a member of the server, read from the database. */
  viewer: Principal & { serverId: string };
  /** The sequence number at the snapshot's cursor. */
  seq: number;
  /** The channels they can see, ordered by position, each with the latest event when it was read. */
  channels: readonly (RowOf<'channel'> & { seq: number | null; epoch: string | null })[];
  /** All roles in the server, ordered by id. */
  roles: readonly RowOf<'role'>[];
}

/**
 * A field of the snapshot, defined by its noun. It is read after the snapshot's cursor, so events after the
 * cursor must cover every change to it, and applying those events must be idempotent. It takes a constant
 * number of statements, however many members and messages there are.
 */
export interface SnapshotPart<S extends TSchema = TSchema> {
  schema: S;
  read(of: SnapshotOf): Promise<Static<S>> | Static<S>;
}

/** Defines a part. */
export const snapshotPart = <S extends TSchema>(part: SnapshotPart<S>): SnapshotPart<S> => part;
