import type { Expression, SqlBool } from 'kysely';
import { type JsonRows, MAX_PAGE_BYTES, type Order, type Reader } from '../../db/contract.ts';
import { shownRecord } from '../../db/messageRecord.ts';
import { prepare, q } from '../../db/statements.ts';
import { FIRST_ID } from '../../lib/deps.ts';
import type { Position } from '../../operations/operation.ts';

/**
 * Maximum replies per response (decisions, part 4), and per read. A single read would be too large, because a
 * thousand long replies take up 50 MB.
 */
export const MAX_REPLIES = 1000;
const CHUNK_REPLIES = 100;

const repliesIn = (p: { threadId: string; from: string; rows: number }) =>
  q
    .selectFrom('message')
    .select(['id', shownRecord])
    .where('threadId', '=', p.threadId)
    .where('id', '>=', p.from)
    .orderBy('id')
    .limit(p.rows);
const replies = prepare(repliesIn);

/**
 * Returns a thread's replies from a position, oldest first, as JSON: up to `limit` replies or about
 * `MAX_PAGE_BYTES`. Empty if the condition `seen` is false.
 */
export async function replyPage(
  db: Reader,
  threadId: string,
  limit: number,
  position: Position | undefined,
  seen?: Expression<SqlBool>,
): Promise<{ json: Uint8Array; next: Position | null }> {
  const chunks: Uint8Array[] = [];
  let from: JsonRows['beyond'] = (position?.[0] as string | undefined) ?? FIRST_ID;
  let room = MAX_PAGE_BYTES;
  for (let count = 0; from !== null && count < limit && room > 0; count += CHUNK_REPLIES) {
    const most = Math.min(CHUNK_REPLIES, limit - count);
    const chunk = { threadId, from: from as string, rows: most + 1 };
    const query = seen ? repliesIn(chunk).where(seen) : replies(chunk);
    const { json, beyond } = await db.json(query, 'id', 'asc', most, room);
    // The page is empty if the remaining replies were deleted since the previous read.
    if (json.length > 0) chunks.push(...(chunks.length > 0 ? [COMMA, json] : [json]));
    room -= json.length;
    from = beyond;
  }
  return { json: Buffer.concat(chunks), next: from === null ? null : [from] };
}

const repliesBefore = prepare((p: Parameters<typeof repliesIn>[0]) =>
  q
    .selectFrom('message')
    .select(['id', shownRecord])
    .where('threadId', '=', p.threadId)
    .where('id', '<=', p.from)
    .orderBy('id', 'desc')
    .limit(p.rows),
);

/** Reads up to `limit` replies in a thread, starting from an id (inclusive), in the given order, as JSON. */
export async function repliesFrom(
  db: Reader,
  threadId: string,
  order: Order,
  from: string,
  limit: number,
): Promise<{ json: Uint8Array; next: Position | null }> {
  const query = (order === 'asc' ? replies : repliesBefore)({ threadId, from, rows: limit + 1 });
  const { json, beyond } = await db.json(query, 'id', order, limit);
  return { json, next: beyond === null ? null : [beyond] };
}

const COMMA = Buffer.from(',');
