import { type Caller, unauthenticated } from '../access/authenticator.ts';
import { isTicket } from '../access/credentials/ticket.ts';
import { digestOf } from '../access/credentials/token.ts';
import { find, remove } from '../db/statements.ts';
import { TICKET_MS } from '../db/tables/ticket.ts';
import type { Services } from './services.ts';

const refusal = (why: string) => unauthenticated('INVALID_API_KEY', `this ticket ${why}: make a new one`);

/**
 * Uses up a ticket: of all who show it, on any node, one gets the caller of the API key for which it was made. Throws
 * INVALID_API_KEY if the ticket is malformed, unknown, used or older than a minute, or its key no longer counts.
 */
export async function callerByTicket({ authenticator, db, deps }: Services, ticket: string): Promise<Caller> {
  if (!isTicket(ticket)) throw refusal('is none of Palaver');
  const digest = digestOf(ticket);
  const found = await db.read.first(find('ticket', { digest }));
  if (!found) throw refusal('was used, or is over');
  const caller = await authenticator.authenticateDigest('apiKey', found.keyDigest);
  const isFirst = await db.write(async (tx) => {
    const unused = await tx.first(find('ticket', { digest }));
    if (!unused) return false;
    await tx.run(remove('ticket', { id: unused.id }));
    return deps.now(tx.time()) - unused.createdAt < TICKET_MS;
  }, caller.principal.serverId ?? undefined);
  if (!isFirst) throw refusal('was used, or is over');
  return caller;
}
