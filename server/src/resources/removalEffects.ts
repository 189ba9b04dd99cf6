import type { TObject } from 'typebox';
import { dependentsOf } from '../db/bonds.ts';
import type { RemovalEffects } from '../db/removal.ts';
import type { RowOf, TableName } from '../db/schema.ts';
import type { Work } from '../operations/work.ts';
import { recordOf } from './common.ts';
import { events } from './index.ts';
import { emitRoles, listedMemberOf, serverMemberEvents } from './serverMember/memberRecord.ts';
import type { Departure } from './serverMember/remove.ts';
import { releaseThreads } from './thread/change.ts';
import { emitRolesTaken } from './userRole.ts';

/**
 * Returns the effects of removing a message's dependents. They emit `deleted` events, and delete or detach
 * the message's threads.
 */
export const effectsOfMessage = (work: Work) => ({
  removed: Object.fromEntries(
    dependentsOf('message', 'sweep')
      // Versions are not records, so they have no events.
      .filter(({ table }) => table !== 'messageVersion')
      .map(({ table }) => [table, emitDeleted(work, table)]),
  ),
  release: (threads: RowOf<'thread'>[]) => releaseThreads(work, threads),
});

/** Returns a function that emits a noun's `deleted` event for each row. */
function emitDeleted(work: Work, noun: TableName): (rows: readonly object[]) => Promise<void> {
  const kind = events.find(`${noun}.deleted`);
  if (!kind) throw new Error(`${noun} has no event for rows that are deleted`);
  const toRecord = recordOf(kind.data as TObject);
  return async (rows) => {
    for (const row of rows) await work.emit(kind, toRecord(row));
  };
}

/**
 * Returns the effects of removing a deleted role from its members. They emit events for `userRole` and for
 * the members.
 */
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

/**
 * Returns the effects of removing the agents of a removed member. They emit `serverMember.deleted` for each
 * agent, with its consequences.
 */
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
