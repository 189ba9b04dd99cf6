import type { Reader } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { find, insert, q, update } from '../../db/statements.ts';
import { invalid } from '../../errors.ts';
import type { Work } from '../../operations/work.ts';
import { load, touched } from '../common.ts';
import { toHold } from './holdRecord.ts';

/** Maximum holds per server that have not been released, because each deletion reads them. */
const MAX_HOLDS = 100;

/** The scope of a new hold, its reason, and its end. */
export interface NewHold {
  serverId: string;
  userId?: string | null | undefined;
  channelId?: string | null | undefined;
  reason: string;
  until?: number | null | undefined;
}

/** Creates a hold. Throws NOT_FOUND and INVALID_REQUEST. */
export async function addHold(work: Work, given: NewHold, creatorId: string | null) {
  const { db, newRow, now } = work;
  const { serverId, userId = null, channelId = null, reason, until = null } = given;
  await load(db, 'server', serverId);
  if (userId !== null) await load(db, 'user', userId);
  const channel = channelId === null ? null : await load(db, 'channel', channelId);
  if (channel && channel.serverId !== serverId)
    throw invalid('mismatch', 'channelId', 'is a channel of another server');
  if (until !== null && until <= now) throw invalid('out_of_range', 'until', 'must be in the future');
  if ((await unreleased(db, serverId)) >= MAX_HOLDS)
    throw invalid('quota', '', `a server can have ${MAX_HOLDS} holds at the same time`);
  const row = { ...newRow(), serverId, userId, channelId, reason, creatorId, until };
  const hold = { ...row, endedAt: null, releasedAt: null };
  await db.run(insert('hold', hold));
  return toHold({ ...hold, channelName: channel?.name ?? null });
}

async function unreleased(db: Reader, serverId: string): Promise<number> {
  const rows = q.selectFrom('hold').select('id').where('serverId', '=', serverId);
  return (await db.all(rows.where('releasedAt', 'is', null).limit(MAX_HOLDS))).length;
}

/** Ends a hold. A background job then deletes everything that no other hold keeps. */
export async function endHold({ db, now }: Work, found: RowOf<'hold'>) {
  const { channelId } = found;
  const channel = channelId === null ? undefined : await db.first(find('channel', { id: channelId }));
  const channelName = channel?.name ?? null;
  if (found.endedAt !== null) return toHold({ ...found, channelName });
  const set = { endedAt: now, updatedAt: touched(found, now) };
  await db.run(update('hold', found.id, set));
  return toHold({ ...found, ...set, channelName });
}
