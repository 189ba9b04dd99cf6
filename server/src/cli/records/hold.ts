import type { Reader } from '../../db/contract.ts';
import { q } from '../../db/statements.ts';
import type { Work } from '../../operations/work.ts';
import { load } from '../../resources/common.ts';
import { addHold, endHold as end } from '../../resources/platform/changeHold.ts';
import { MAX_REASON, toHold } from '../../resources/platform/holdRecord.ts';
import { CommandError } from '../commandError.ts';

interface Given {
  server: string;
  reason: string;
  user?: string;
  channel?: string;
  until?: string;
}

/** `palaver hold create`. Throws CommandError and ApiError. */
export async function createHold(work: Work, { server, reason, user, channel, until }: Given) {
  const text = reason.trim();
  if (text === '' || text.length > MAX_REASON)
    throw new CommandError(`--reason must have 1 to ${MAX_REASON} characters`);
  const given = { serverId: server, userId: user, channelId: channel, reason: text };
  return addHold(work, { ...given, until: until === undefined ? null : timeFrom(until) }, null);
}

/** Parses a date, as the start of the day, or a time. UTC unless a time zone is given. */
function timeFrom(until: string): number {
  const isDate = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)?)?$/.test(until);
  const time = Date.parse(/^\d{4}-\d\d-\d\dT[\d:]+$/.test(until) ? `${until}Z` : until);
  if (!isDate || Number.isNaN(time))
    throw new CommandError('--until must be a date, such as 2027-01-31 or 2027-01-31T12:00Z');
  return time;
}

export const listHolds = async (db: Reader) =>
  (await db.all(q.selectFrom('hold').selectAll().orderBy('id'))).map(toHold);

/** `palaver hold end`. Throws NOT_FOUND. */
export const endHold = async (work: Work, id: string) => end(work, await load(work.db, 'hold', id));
