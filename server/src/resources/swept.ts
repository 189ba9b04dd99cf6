import type { TObject } from 'typebox';
import { dependentsOf } from '../db/bonds.ts';
import type { RemovalEffects } from '../db/removal.ts';
import type { RowOf, TableName } from '../db/schema.ts';
import { find } from '../db/statements.ts';
import type { Work } from '../operations/work.ts';
import { recordOf } from './common.ts';
import { events } from './index.ts';
import { emitRoles, listedMemberOf, serverMemberEvents } from './serverMember/memberRecord.ts';
import { sweepProfile } from './serverMember/profile.ts';
import type { Departure } from './serverMember/remove.ts';
import { sweepServer } from './serverSweep.ts';
import { releaseThreads } from './thread/change.ts';
import { emitRolesTaken } from './userRole.ts';

/** Removing a message's dependents emits `deleted` events of their nouns, and deletes or detaches its threads. */
export const effectsOfMessage = (work: Work) => ({
  removed: Object.fromEntries(
    dependentsOf('message', 'sweep').map(({ table }) => [table, emitDeleted(work, table)]),
  ),
  release: (threads: RowOf<'thread'>[]) => releaseThreads(work, threads),
});

/** A function that emits the `deleted` event of a noun for each row. */
function emitDeleted(work: Work, noun: TableName): (rows: readonly object[]) => Promise<void> {
  const kind = events.find(`${noun}.deleted`);
  if (!kind) throw new Error(`${noun} has no event for rows that are deleted`);
  const toRecord = recordOf(kind.data as TObject);
  return async (rows) => {
    for (const row of rows) await work.emit(kind, toRecord(row));
  };
}

/** Removing a deleted role from its holders emits events of `userRole` and of the members. */
export const effectsOfRole = (work: Work): RemovalEffects => ({
  removed: {
    async userRole(rows) {
      const [first] = rows;
      if (!first) return;
      await emitRolesTaken(work, rows);
      const userIds = rows.map(({ userId }) => userId);
      await emitRoles(work, first.serverId, userIds);
    },
  },
});

/** Removing the agents of a member who is gone emits `serverMember.deleted` for each, with its consequences. */
export const effectsOfMember = (work: Work): RemovalEffects => ({
  removed: {
    async serverMember(rows) {
      const [first] = rows;
      if (!first) return;
      const toListedMember = await listedMemberOf(work.db, first.serverId, rows);
      const known: Departure = { isWithMaker: true };
      for (const row of rows) await work.emit(serverMemberEvents.deleted, toListedMember(row), { known });
    },
  },
});

type Mark = RowOf<'sweep'>;
/** The nouns whose sweeps are no removal of dependents alone. */
type Whole = keyof typeof wholeSweeps;

/** Sweeps that make writes of their own: each call makes one, and returns true once there is nothing left. */
export const wholeSweeps = { server: sweepServer, user: sweepProfile };

/**
 * The effects of removing rows in a sweep, by noun of the deleted row: the same as in the write that deleted it. Rows
 * in a deleted channel are removed without events.
 */
export const sweepEffects: Readonly<
  Record<Exclude<Mark['noun'], Whole>, (work: Work, mark: Mark) => Promise<RemovalEffects>>
> = {
  channel: async () => ({}),
  message: async (work, mark) => ((await hasChannel(work, mark)) ? effectsOfMessage(work) : {}),
  role: async (work) => effectsOfRole(work),
  serverMember: async (work) => effectsOfMember(work),
  thread: async (work, mark) =>
    (await hasChannel(work, mark)) ? { release: (threads) => releaseThreads(work, threads) } : {},
};

/** False if the channel was deleted as well. Its own sweep then removes everything in it. */
const hasChannel = async ({ db }: Work, { channelId }: Mark): Promise<boolean> =>
  channelId !== null && (await db.first(find('channel', { id: channelId }))) !== undefined;
