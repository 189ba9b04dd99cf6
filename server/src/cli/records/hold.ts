import type { Reader } from '../../db/contract.ts';
import { FIRST_ID } from '../../lib/deps.ts';
import type { Data } from '../../node/data.ts';
import type { Work } from '../../operations/work.ts';
import { change } from '../../resources/change.ts';
import { load } from '../../resources/common.ts';
import { addHold, endHold as end } from '../../resources/platform/changeHold.ts';
import { holds, keptBy, MAX_REASON, toHold, toKeptMessage } from '../../resources/platform/holdRecord.ts';
import { recordCommand } from '../../resources/recordCommand.ts';
import { CommandError } from '../commandError.ts';

interface Given {
  server: string;
  reason: string;
  user?: string;
  channel?: string;
  until?: string;
}

/** Implements `palaver hold create`. Throws CommandError and ApiError. */
export async function createHold(work: Work, { server, reason, user, channel, until }: Given) {
  const text = reason.trim();
  if (text === '' || text.length > MAX_REASON)
    throw new CommandError(`--reason must have 1 to ${MAX_REASON} characters`);
  const given = { serverId: server, userId: user, channelId: channel, reason: text };
  return addHold(work, { ...given, until: until === undefined ? null : timeFrom(until) }, null);
}

/** Parses a time, or a date as the start of that day. In UTC unless a time zone is given. */
function timeFrom(until: string): number {
  const isDate = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)?)?$/.test(until);
  const time = Date.parse(/^\d{4}-\d\d-\d\dT[\d:]+$/.test(until) ? `${until}Z` : until);
  if (!isDate || Number.isNaN(time))
    throw new CommandError('--until must be a date, such as 2027-01-31 or 2027-01-31T12:00Z');
  return time;
}

export const listHolds = async (db: Reader) => (await db.all(holds().orderBy('id'))).map(toHold);

/** Kept messages per read. */
const PAGE_ROWS = 500;

/**
 * Implements `palaver hold messages`: lists the messages that a hold keeps, and records this in the audit
 * log. Throws NOT_FOUND.
 */
export async function keptMessages(data: Data, id: string) {
  const { deps, db } = data;
  const found = await load(db.read, 'hold', id);
  await change(data, ({ db: tx }) => recordCommand(tx, deps, 'hold read', { id, serverId: found.serverId }));
  const all: ReturnType<typeof toKeptMessage>[] = [];
  for (let after = FIRST_ID; ; after = all.at(-1)?.id as string) {
    const page = await db.read.all(keptBy(found).where('id', '>', after).orderBy('id').limit(PAGE_ROWS));
    all.push(...page.map(toKeptMessage));
    if (page.length < PAGE_ROWS) return all;
  }
}

/** Implements `palaver hold end`. Throws NOT_FOUND. */
export const endHold = async (work: Work, id: string) => end(work, await load(work.db, 'hold', id));
