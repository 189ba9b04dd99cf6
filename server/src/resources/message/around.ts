import { MAX_PAGE_BYTES, type Reader } from '../../db/contract.ts';
import { prepare, q } from '../../db/statements.ts';
import { isInSight } from '../../db/sweep.ts';
import { invalid, notFound } from '../../errors.ts';
import { idAfter, idBefore, isId } from '../../lib/deps.ts';
import type { Position } from '../../operations/operation.ts';
import type { Page } from '../../operations/read.ts';
import type { toMessage } from './messageRecord.ts';
import { filteredPage, type MessageQuery } from './page.ts';

type ShownMessage = ReturnType<typeof toMessage>;

/** Marks a position from which a page continues with newer messages. */
const NEWER = 'newer';

/** Throws INVALID_REQUEST if `around` is combined with a conflicting parameter. */
export function requireMakesSense(query: Omit<MessageQuery, 'limit'>): void {
  const { around, order, after, before, q: words } = query;
  if (around === undefined) return;
  const refuse = (name: string) => invalid('not_together', 'around', `cannot be combined with ${name}`);
  if (words) throw refuse('q');
  if (after !== undefined) throw refuse('after');
  if (before !== undefined) throw refuse('before');
  if (order === 'asc') throw refuse('order=asc');
  const flag = (['hasFile', 'hasLink', 'pinned', 'mentionsMe'] as const).find(
    (name) => query[name] !== undefined,
  );
  if (flag) throw refuse(flag);
}

const inChannel = prepare((p: { id: string; channelId: string }) =>
  q
    .selectFrom('message')
    .select('message.id')
    .where('message.id', '=', p.id)
    .where('channelId', '=', p.channelId)
    .where(isInSight),
);

/**
 * Returns a page of the messages around a message in a channel, newest first, with positions from which to
 * continue in both directions. Throws NOT_FOUND if that message is not in the channel, whether or not it
 * exists elsewhere.
 */
export async function pageAround(
  db: Reader,
  channelId: string,
  query: MessageQuery,
  isBeingSwept: boolean,
  position: Position | undefined,
): Promise<Extract<Page, { records: unknown[] }> & { records: ShownMessage[] }> {
  const { limit, around = '' } = query;
  const older = async (from: string, rows: number, maxBytes?: number) => {
    const { json, next } = await filteredPage(
      db,
      channelId,
      { ...query, limit: rows },
      from,
      isBeingSwept,
      maxBytes,
    );
    return { records: parsed(json), next };
  };
  const newer = async (from: string, rows: number, maxBytes?: number) => {
    const upwards = { ...query, order: 'asc', limit: rows } as const;
    const { json, next } = await filteredPage(db, channelId, upwards, from, isBeingSwept, maxBytes);
    return { records: parsed(json).reverse(), previous: next && newerThan(next) };
  };

  if (position?.[0] === NEWER) {
    const from = position[1] as string;
    return { ...(await newer(from, limit)), next: [idBefore(from)] };
  }
  if (position) {
    const from = position[0] as string;
    return { ...(await older(from, limit)), previous: [NEWER, idAfter(from)] };
  }
  const isThere = isId(around) && (await db.first(inChannel({ id: around, channelId })));
  if (!isThere) throw notFound('message');
  const half = Math.floor(limit / 2);
  const [below, above] = await Promise.all([
    older(around, limit - half, MAX_PAGE_BYTES / 2),
    half === 0
      ? { records: [], previous: [NEWER, idAfter(around)] }
      : newer(idAfter(around), half, MAX_PAGE_BYTES / 2),
  ]);
  return {
    records: [...above.records, ...below.records],
    next: below.next,
    previous: above.previous,
  };
}

const newerThan = ([id]: Position): Position => [NEWER, id as string];

/** Returns the records of a page that the database engine serialized. */
const parsed = (json: Uint8Array): ShownMessage[] => JSON.parse(`[${Buffer.from(json).toString()}]`);
