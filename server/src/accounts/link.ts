import { digestOf, isWellFormed, newToken } from '../access/credentials/token.ts';
import type { Reader, Tx } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import { find, insert, remove } from '../db/statements.ts';
import { notFound } from '../errors.ts';
import type { Work } from '../operations/work.ts';

const PREFIX = 'link_plv_';
const DAY_MS = 24 * 60 * 60_000;

/** The life of a link, in ms. */
export const lives: Readonly<Record<RowOf<'link'>['purpose'], number>> = {
  claim: 7 * DAY_MS,
  password: DAY_MS,
  recovery: DAY_MS,
  signUp: 7 * DAY_MS,
  reset: DAY_MS / 24,
  email: DAY_MS,
};

/** Kinds of which several may be out at once: nobody ends those that somebody else was sent. Using one ends all. */
const several: readonly RowOf<'link'>['purpose'][] = ['reset', 'signUp'];

type NewLink = Pick<RowOf<'link'>, 'purpose' | 'userId' | 'email'>;

/** Makes a link. Only its digest is stored: `token` in the result is the only copy. The user's earlier links of the kind end, but for resets. */
export async function addLink({ db, newRow, randomBytes }: Work, fields: NewLink) {
  const { purpose, userId } = fields;
  if (userId !== null && !several.includes(purpose)) await db.run(remove('link', { userId, purpose }));
  const token = newToken(PREFIX, randomBytes);
  const made = newRow();
  const row = { ...made, ...fields, digest: digestOf(token), expiresAt: made.createdAt + lives[purpose] };
  await db.run(insert('link', row));
  return { id: row.id, token, expiresAt: row.expiresAt, row };
}

/** The page of the web client that a link leads to. The token after # is sent to no server, and stands in no log. */
export const urlOf = (address: string, token: string): string => `${address}/welcome#${token}`;

/** The link of a token. Throws NOT_FOUND if there is none, or if it was used or has expired. */
export async function linkOf(db: Reader, token: string, now: number): Promise<RowOf<'link'>> {
  const found = isWellFormed(PREFIX, token)
    ? await db.first(find('link', { digest: digestOf(token) }))
    : undefined;
  if (!found || found.expiresAt <= now) throw notFound('link');
  return found;
}

/** Uses a link up. Throws NOT_FOUND if another request was sooner. */
export async function useLink(tx: Tx, { id }: RowOf<'link'>): Promise<void> {
  if ((await tx.count(remove('link', { id }))) !== 1) throw notFound('link');
}
