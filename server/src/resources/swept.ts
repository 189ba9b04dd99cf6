import type { TObject } from 'typebox';
import { dependentsOf } from '../db/bonds.ts';
import type { RemovalEffects } from '../db/removal.ts';
import type { RowOf, TableName } from '../db/schema.ts';
import { find } from '../db/statements.ts';
import type { Work } from '../operations/work.ts';
import { recordOf } from './common.ts';
import { events } from './index.ts';
import { tellRoles } from './serverMember/record.ts';
import { releaseThreads } from './thread/change.ts';
import { tellRolesTaken } from './userRole.ts';

/** The events of rows that go with a message, whatever their noun, and the release of threads on it. */
export const effectsOfMessage = (work: Work) => ({
  removed: Object.fromEntries(
    dependentsOf('message', 'sweep').map(({ table }) => [table, tellRemoved(work, table)]),
  ),
  release: (threads: RowOf<'thread'>[]) => releaseThreads(work, threads),
});

/** Tells that rows of a noun were removed. */
function tellRemoved(work: Work, noun: TableName): (rows: readonly object[]) => Promise<void> {
  const kind = events.find(`${noun}.deleted`);
  if (!kind) throw new Error(`${noun} has no event for rows that are deleted`);
  const toRecord = recordOf(kind.data as TObject);
  return async (rows) => {
    for (const row of rows) await work.emit(kind, toRecord(row));
  };
}

/** The events of the members that lose a role. */
export const effectsOfRole = (work: Work): RemovalEffects => ({
  removed: {
    async userRole(rows) {
      const [first] = rows;
      if (!first) return;
      await tellRolesTaken(work, rows);
      const userIds = rows.map(({ userId }) => userId);
      await tellRoles(work, first.serverId, userIds);
    },
  },
});

type Mark = RowOf<'sweep'>;

/**
 * The effects of a sweep beside removing rows, by the noun that is gone: those that the write would have had, had it had the time
 * to remove all of them. Rows in a channel that is gone go without events.
 */
export const sweepEffects: Readonly<
  Record<Mark['noun'], (work: Work, mark: Mark) => Promise<RemovalEffects>>
> = {
  channel: async () => ({}),
  message: async (work, mark) => ((await hasChannel(work, mark)) ? effectsOfMessage(work) : {}),
  role: async (work) => effectsOfRole(work),
  thread: async (work, mark) =>
    (await hasChannel(work, mark)) ? { release: (threads) => releaseThreads(work, threads) } : {},
};

/** False once the channel is gone too, and its sweep takes everything in it. */
const hasChannel = async ({ db }: Work, { channelId }: Mark): Promise<boolean> =>
  channelId !== null && (await db.first(find('channel', { id: channelId }))) !== undefined;
