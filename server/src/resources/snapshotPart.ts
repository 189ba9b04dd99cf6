import type { Static, TSchema } from 'typebox';
import type { Principal } from '../access/principal.ts';
import type { Reader } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';

/** The person and the server of a snapshot, with what was read of it already. */
export interface SnapshotOf {
  db: Reader;
  /** Milliseconds since the Unix epoch. */
  now: number;
  serverId: string;
  userId: string;
  /** The person in the server, as they are in the database now. */
  viewer: Principal & { serverId: string };
  /** The number of the event at the cursor of the snapshot. */
  seq: number;
  /** The channels that they see, by position, with the latest event at which they were read. */
  channels: readonly (RowOf<'channel'> & { seq: number | null; epoch: string | null })[];
  /** All roles of the server, by id. */
  roles: readonly RowOf<'role'>[];
}

/**
 * A field of the snapshot, given by its noun. It is read after the cursor of the snapshot: the events after the cursor have to
 * tell all that changes in it, and to do no harm where it shows their change already. It costs a few statements, however many
 * members and messages there are.
 */
export interface SnapshotPart<S extends TSchema = TSchema> {
  schema: S;
  read(of: SnapshotOf): Promise<Static<S>> | Static<S>;
}

/** Makes a part. */
export const snapshotPart = <S extends TSchema>(part: SnapshotPart<S>): SnapshotPart<S> => part;
