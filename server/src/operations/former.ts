import { digestOf } from '../access/credentials/token.ts';
import { find, remove } from '../db/statements.ts';
import type { Services } from './services.ts';
import { transactOnAccount } from './work.ts';

/**
 * Revokes the session that a browser had before it signed in again. Otherwise, it would remain valid,
 * although its cookie has been replaced (OWASP ASVS 5.0, 7.2.4). The write is serialized with other writes to
 * the account of that session, which may belong to another person. Does nothing if there is no such session.
 */
export async function endFormerSession(services: Services, token: string): Promise<void> {
  const digest = digestOf(token);
  const found = await services.db.read.first(find('session', { digest }));
  if (found) await transactOnAccount(services, found.userId, (tx) => tx.run(remove('session', { digest })));
}
