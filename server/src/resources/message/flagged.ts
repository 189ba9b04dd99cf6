import { MAX_PAGE_BYTES, type Reader } from '../../db/contract.ts';
import { type Examined, type Flags, hasFlags } from '../../db/examined.ts';
import { findPart } from '../../db/statements.ts';
import { mentionsIn } from '../../lib/text/index.ts';
import { searchText } from '../../lib/text/indexed.ts';
import { flag, optional } from '../../operations/fields.ts';
import type { Page } from '../../operations/read.ts';
import { MAX_MENTIONS } from './groups.ts';
import { filteredPage, type MessageQuery } from './page.ts';

export const flagFields = {
  hasFile: optional(flag('Only messages with files (true) or without files (false)')),
  hasLink: optional(flag('Only messages with links to web pages (true) or without such links (false)')),
  pinned: optional(flag('Only pinned messages (true) or others (false)')),
  mentionsMe: optional(flag('Only messages that mention your username (true) or others (false)')),
};

/** Maximum number of messages that a page examines, and their maximum total size in bytes. */
const MAX_EXAMINED = 2_000;
const MAX_BYTES = 4_000_000;
/** Number of messages per read. */
const BATCH = 100;

const link = /\bhttps?:\/\//i;

/**
 * Combines the filters of a user's request into a predicate for messages. Undefined if there are no filters.
 */
export async function examinerOf(
  db: Reader,
  userId: string,
  flags: Flags,
): Promise<((message: Examined) => boolean) | undefined> {
  if (!hasFlags(flags)) return undefined;
  const { hasFile, hasLink, pinned, mentionsMe } = flags;
  const username =
    mentionsMe === undefined ? undefined : (await db.first(findPart('user', userId, ['username'])))?.username;
  const isMentioned = (content: string) =>
    mentionsIn(content, MAX_MENTIONS).some(({ name, longer }) => longer === username || name === username);
  return ({ content, pinned: isPinned, attachments }) =>
    (pinned === undefined || isPinned === pinned) &&
    (hasFile === undefined || (attachments?.length ?? 0) > 0 === hasFile) &&
    (hasLink === undefined || link.test(searchText(content)) === hasLink) &&
    (mentionsMe === undefined || isMentioned(content) === mentionsMe);
}

/**
 * Returns a page of a channel's messages that pass a test. A page ends early after `MAX_EXAMINED` messages or
 * `MAX_BYTES`. It may then be short or empty even though there is a next page.
 */
export async function examinedPage(
  db: Reader,
  channelId: string,
  query: MessageQuery,
  {
    isWanted,
    isBeingSwept,
    from,
  }: {
    isWanted: (message: Examined) => boolean;
    isBeingSwept: boolean;
    from: string | undefined;
  },
): Promise<Page> {
  const records: (Examined & { id: string })[] = [];
  let [left, room] = [MAX_BYTES, MAX_PAGE_BYTES];
  let next = from;
  for (let examined = 0; examined < MAX_EXAMINED && left > 0; examined += BATCH) {
    const page = await filteredPage(db, channelId, { ...query, limit: BATCH }, next, isBeingSwept);
    const rows: typeof records = JSON.parse(`[${Buffer.from(page.json).toString()}]`);
    for (const row of rows) {
      if (!isWanted(row)) continue;
      room -= Buffer.byteLength(JSON.stringify(row));
      if (records.length === query.limit || (room < 0 && records.length > 0))
        return { records, next: [row.id] };
      records.push(row);
    }
    left -= page.json.length;
    if (page.next === null) return { records, next: null };
    next = page.next[0] as string;
  }
  return { records, next: [next as string] };
}
