import type { JsonRows, Order } from '../../db/contract.ts';
import { invalid } from '../../errors.ts';
import { idAfter, idBefore, isId, LAST_ID } from '../../lib/deps.ts';
import type { Position } from '../../operations/operation.ts';
import type { toMessage } from '../message/messageRecord.ts';

type Message = ReturnType<typeof toMessage>;

/**
 * A query for a window of messages: the latest ones, or those around, before or after a message. That message
 * may have been deleted.
 */
export interface WindowQuery {
  limit: number;
  around?: string;
  before?: string;
  after?: string;
}

/**
 * A function that reads up to `limit` messages starting from an id, as JSON. Also returns the id of the next
 * message.
 */
type ReadPage = (
  order: Order,
  from: string,
  limit: number,
) => Promise<Pick<JsonRows, 'json'> & { next: Position | null }>;

export interface MessageWindow {
  /** Oldest first. */
  messages: Message[];
  /** Pass this as `before` to get the previous window; null if there is none. */
  before: string | null;
  after: string | null;
}

/** Throws INVALID_REQUEST unless at most one position is given and it is a message's id. */
export function requirePlace({ around, before, after }: Omit<WindowQuery, 'limit'>): void {
  const given = Object.entries({ around, before, after }).filter(([, id]) => id !== undefined);
  const [[name, id] = [], another] = given;
  if (another) throw invalid('not_together', another[0], `cannot be combined with ${name}`);
  if (id !== undefined && !isId(id)) throw invalid('wrong_form', name as string, 'is not a message id');
}

/**
 * Reads a window of messages as two pages, so that the cost does not depend on the position. The window is
 * short if a page is short, for example during a sweep of the channel or with a filter. `before` and `after`
 * then continue where the scan stopped. `texts` adds the text of messages that are being streamed.
 */
export async function windowOf(
  { limit, around, before, after }: WindowQuery,
  page: ReadPage,
  texts: (found: readonly Message[]) => Promise<Message[]>,
): Promise<MessageWindow> {
  /**
   * Reads up to `rows` messages starting from an id, and the id of the next one. With 0 rows, only checks
   * whether there is a next one.
   */
  const read = async (order: Order, from: string, rows: number) => {
    const { json, next } = await page(order, from, Math.max(1, rows));
    const found: Message[] = JSON.parse(`[${Buffer.from(json).toString()}]`);
    const beyond = (next?.[0] as string | undefined) ?? null;
    if (rows === 0) return { messages: [], next: found[0]?.id ?? beyond };
    return { messages: order === 'asc' ? found : found.reverse(), next: beyond };
  };
  const place = around ?? before ?? after;
  const above = around !== undefined ? Math.floor(limit / 2) : after !== undefined ? limit : 0;
  // A window around a message contains that message; other windows start next to it.
  const last = place === undefined ? LAST_ID : before === undefined ? place : idBefore(place);
  const first = place === undefined || before !== undefined ? place : idAfter(place);
  const [below, further] = await Promise.all([
    read('desc', last, limit - above),
    first === undefined ? { messages: [], next: null } : read('asc', first, above),
  ]);
  return {
    messages: await texts([...below.messages, ...further.messages]),
    // A page starts with the given message itself, but a window starts next to it.
    before: below.next && idAfter(below.next),
    after: further.next && idBefore(further.next),
  };
}
