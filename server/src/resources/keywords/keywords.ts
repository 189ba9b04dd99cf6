import type { Reader, Tx } from '../../db/contract.ts';
import { find, insert, prepare, q, remove, update } from '../../db/statements.ts';
import { mark } from '../../db/sweep.ts';
import { invalid } from '../../errors.ts';
import { FIRST_ID } from '../../lib/deps.ts';
import { Type } from '../../lib/schema.ts';
import { KeywordIndex, keywordTerm } from '../../lib/text/keywords.ts';
import { text } from '../../operations/fields.ts';
import type { Work } from '../../operations/work.ts';

/** Maximum keywords per person, and maximum characters per keyword. */
const MAX_KEYWORDS = 20;
const MAX_CHARACTERS = 50;

export const keywords = Type.Array(text({ min: 1, max: MAX_CHARACTERS, examples: ['release plan'] }), {
  maxItems: MAX_KEYWORDS,
  description:
    'Words and phrases that notify you like a mention, in channels that you can see, matched as in a search',
  examples: [['harbour', 'release plan']],
});

const latest = prepare(
  (_: object) => q.selectFrom('keywordList').select((eb) => eb.fn.max('version').as('version')),
  {},
  { cachedBy: '' },
);

/** Returns the version of the latest change to anybody's keywords; 0 if nobody has any. */
export const keywordVersion = async (db: Reader): Promise<number> =>
  Number((await db.first(latest({})))?.version ?? 0);

/**
 * Returns a version for a change in this transaction. Versions commit in order, so a reader that has seen one
 * has seen all earlier ones.
 */
async function nextVersion(tx: Tx, now: number): Promise<number> {
  await tx.hold('keywords');
  return Math.max(now, (await keywordVersion(tx)) + 1);
}

/** Throws INVALID_REQUEST if a keyword has no letters or digits, or if two are the same word. */
export function requireKeywords(words: readonly string[]): void {
  const terms = new Set<string>();
  for (const word of words) {
    const term = keywordTerm(word);
    if (term === '') throw invalid('blank', 'keywords', 'must each have a letter or digit');
    if (terms.has(term)) throw invalid('duplicate', 'keywords', 'contains a word twice');
    terms.add(term);
  }
}

/** Replaces a person's keywords. */
export async function setKeywords(
  { db, now, newRow }: Pick<Work, 'db' | 'now' | 'newRow'>,
  userId: string,
  words: readonly string[],
): Promise<void> {
  const found = await db.first(find('keywordList', { id: userId }));
  if (!found && words.length === 0) return;
  const set = { keywords: words.map((word) => word.trim()), version: await nextVersion(db, now) };
  if (found) await db.run(update('keywordList', userId, { ...set, updatedAt: now }));
  else await db.run(insert('keywordList', { ...newRow(), id: userId, ...set }));
}

/** Gives a new member's keywords a new version, so that the server's index includes them. */
export async function renewKeywords({ db, now }: Pick<Work, 'db' | 'now'>, userId: string): Promise<void> {
  const found = await db.first(find('keywordList', { id: userId }));
  if (!found || found.keywords.length === 0) return;
  await db.run(update('keywordList', userId, { version: await nextVersion(db, now) }));
}

export const removeKeywords = (tx: Tx, userId: string): Promise<void> =>
  tx.run(remove('keywordList', { id: userId }));

/** Returns the given users who have a keyword that occurs in a text. */
export async function keywordUsersAmong(
  db: Reader,
  userIds: readonly string[],
  content: string,
): Promise<ReadonlySet<string>> {
  if (userIds.length === 0) return new Set();
  const rows = await db.all(q.selectFrom('keywordList').selectAll().where('id', 'in', userIds));
  const index = new KeywordIndex();
  for (const { id, keywords } of rows) index.set(id, keywords);
  return new Set(index.usersIn(content));
}

/**
 * Schedules notifications for people whose keywords a message contains. A sweep delivers them after this
 * write.
 */
export async function notifyKeywords(
  { db, newRow, actorId, actorKind: actor }: Work,
  { id: messageId, serverId }: { id: string; serverId: string },
): Promise<void> {
  const { id } = newRow();
  const mention = { id, serverId, messageId, group: 'keyword', roleId: null, upTo: FIRST_ID } as const;
  await db.run(insert('groupMention', mention));
  await mark(db, { noun: 'keywordList', id, serverId, channelId: null, actorId, actor });
}
