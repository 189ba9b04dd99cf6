import type { Db } from '../db/contract.ts';
import { find, remove } from '../db/statements.ts';
import { TICKET_MS } from '../db/tables/ticket.ts';
import type { Deps } from '../lib/deps.ts';
import { type Authenticator, type Caller, unauthenticated } from './authenticator.ts';
import { isTicket } from './credentials/ticket.ts';
import { digestOf } from './credentials/token.ts';

const refusal = (why: string) => unauthenticated('INVALID_API_KEY', `this ticket ${why}. Create a new one`);

/**
 * Uses up a ticket: of all who show it, on any node, one gets the caller of the API key, or of the session, for which it was
 * made. A ticket opens nothing of the other kind, and is not used up by that. Throws INVALID_API_KEY, or for a session that is
 * over UNAUTHORIZED, if the ticket is malformed, unknown, used or older than a minute, or what it stands for no longer counts.
 */
export async function callerByTicket(
  { authenticator, db, deps }: { authenticator: Authenticator; db: Db; deps: Deps },
  ticket: string,
  kind: 'apiKey' | 'session',
): Promise<Caller> {
  if (!isTicket(ticket)) throw refusal('is not a Palaver ticket');
  const digest = digestOf(ticket);
  const found = await db.read.first(find('ticket', { digest }));
  if (!found || (found.sessionId === null ? 'apiKey' : 'session') !== kind)
    throw refusal('was already used or has expired');
  const caller = await authenticator.authenticateDigest(kind, found.keyDigest);
  const isFirst = await db.write(async (tx) => {
    const count = await tx.count(remove('ticket', { id: found.id }));
    return count === 1 && deps.now(tx.time()) - found.createdAt < TICKET_MS;
  }, caller.principal.serverId ?? undefined);
  if (!isFirst) throw refusal('was already used or has expired');
  return caller;
}
