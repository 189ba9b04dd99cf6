import { digestOf, isWellFormed, newToken, prefixes } from '../access/credentials/token.ts';
import type { Reader, Tx } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import { find, insert, remove } from '../db/statements.ts';
import { notFound } from '../errors.ts';
import type { Work } from '../operations/work.ts';

const PREFIX = prefixes.link;
const DAY_MS = 24 * 60 * 60_000;

/** The lifetime of a link, in ms. */
export const lives: Readonly<Record<RowOf<'link'>['purpose'], number>> = {
  claim: 7 * DAY_MS,
  password: DAY_MS,
  recovery: DAY_MS,
  signUp: 7 * DAY_MS,
  reset: DAY_MS / 24,
  email: DAY_MS,
};

/**
 * Purposes for which a new link does not revoke earlier ones. Anyone can request a reset, so a new request must
 * not disable a link that the user has already received. Links for signing up do not belong to a user.
 */
const several: readonly RowOf<'link'>['purpose'][] = ['reset', 'signUp'];

type NewLink = Pick<RowOf<'link'>, 'purpose' | 'userId' | 'email'>;

/**
 * Creates a link. Only its digest is stored: the returned `token` is the only copy. Revokes the user's
 * earlier links of the same purpose, except those in `several`.
 */
export async function addLink({ db, newRow, randomBytes }: Work, fields: NewLink) {
  const { purpose, userId } = fields;
  if (userId !== null && !several.includes(purpose)) await db.run(remove('link', { userId, purpose }));
  const token = newToken(PREFIX, randomBytes);
  const made = newRow();
  const row = { ...made, ...fields, digest: digestOf(token), expiresAt: made.createdAt + lives[purpose] };
  await db.run(insert('link', row));
  return { id: row.id, token, expiresAt: row.expiresAt, row };
}

/**
 * Returns the URL of the web client's page for a link. The token is in the fragment, which browsers never
 * send to a server, so that it does not appear in logs.
 */
export const urlOf = (address: string, token: string): string => `${address}/welcome#${token}`;

/** Finds the link with this token. Throws NOT_FOUND if there is none, or if it was used or has expired. */
export async function linkOf(db: Reader, token: string, now: number): Promise<RowOf<'link'>> {
  const found = isWellFormed(PREFIX, token)
    ? await db.first(find('link', { digest: digestOf(token) }))
    : undefined;
  if (!found || found.expiresAt <= now) throw notFound('link');
  return found;
}

/** Consumes a link. Throws NOT_FOUND if another request consumed it first. */
export async function useLink(tx: Tx, { id }: RowOf<'link'>): Promise<void> {
  if ((await tx.count(remove('link', { id }))) !== 1) throw notFound('link');
}
