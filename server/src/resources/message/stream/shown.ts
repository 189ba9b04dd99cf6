import type { Reads } from '../../../db/contract.ts';
import type { CachedPage } from '../../../db/pageCache.ts';
import { q } from '../../../db/statements.ts';
import type { Feed } from '../../../feed/feed.ts';
import { toMessage } from '../messageRecord.ts';

type Shown = ReturnType<typeof toMessage>;

/**
 * Occurs in the JSON of a message only if its stream is open. Text cannot contain it, because JSON escapes
 * quotes.
 */
const OPEN = '"stream":"open"';
const SEPARATOR = ',\n';

const includesOpen = (json: Uint8Array): boolean =>
  Buffer.from(json.buffer, json.byteOffset, json.length).includes(OPEN);

/** Whether a cached page has a message that is being streamed. */
export const hasOpen = (page: CachedPage): boolean =>
  page.derived<boolean>(OPEN) ?? page.keep(OPEN, includesOpen(page.json), 0);

/**
 * Adds the text so far to messages that are being streamed: the committed part, and text that this node has
 * received since. The caller must be allowed to see the messages.
 */
export async function withTexts<M extends Pick<Shown, 'id' | 'content' | 'stream'>>(
  db: Reads,
  { deltas }: Pick<Feed, 'deltas'>,
  messages: readonly M[],
): Promise<M[]> {
  const ids = messages.filter(({ stream }) => stream === 'open').map(({ id }) => id);
  if (ids.length === 0) return [...messages];
  const rows = await db.all(q.selectFrom('messageStream').select(['id', 'content']).where('id', 'in', ids));
  const texts = new Map(rows.map(({ id, content }) => [id, deltas.continued(id, content)]));
  // The other streams have ended since their messages were read.
  const others = ids.filter((id) => !texts.has(id));
  const ended =
    others.length === 0 ? [] : await db.all(q.selectFrom('message').selectAll().where('id', 'in', others));
  const whole = new Map(ended.map((row) => [row.id, toMessage(row)]));
  return messages.map((message) => {
    const content = texts.get(message.id);
    if (content !== undefined) return { ...message, content };
    return { ...message, ...whole.get(message.id) };
  });
}

/** Like `withTexts`, for messages as JSON. */
export async function withTextsIn<P extends { json: Uint8Array }>(
  db: Reads,
  feed: Pick<Feed, 'deltas'>,
  page: P,
): Promise<P> {
  if (!includesOpen(page.json)) return page;
  const messages: Shown[] = JSON.parse(`[${Buffer.from(page.json).toString()}]`);
  const shown = await withTexts(db, feed, messages);
  return { ...page, json: Buffer.from(shown.map((message) => JSON.stringify(message)).join(SEPARATOR)) };
}
