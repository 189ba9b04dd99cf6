import type { Db } from '../db/contract.ts';
import { find, remove } from '../db/statements.ts';
import { TICKET_MS } from '../db/tables/ticket.ts';
import type { Deps } from '../lib/deps.ts';
import { type Authenticator, type Caller, unauthenticated } from './authenticator.ts';
import { isTicket } from './credentials/ticket.ts';
import { digestOf } from './credentials/token.ts';

const refusal = (why: string) => unauthenticated('INVALID_API_KEY', `this ticket ${why}. Create a new one`);

/**
 * Redeems a ticket and returns the caller it was created for: the API key or the session. A ticket can be
 * redeemed once, across all nodes. A ticket for the other kind of credential is rejected without being used
 * up. Throws INVALID_API_KEY (or UNAUTHORIZED for an expired or revoked session) if the ticket is malformed,
 * unknown, used, or older than a minute, or if its credential is no longer valid.
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
