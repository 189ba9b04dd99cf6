import type { Reader } from '../../db/contract.ts';
import { q } from '../../db/statements.ts';

/** Maximum number of entries to list. */
const MAX_COMMANDS = 1_000;

/** Lists the latest entries of the audit log, oldest first. */
export async function listCommands(db: Reader) {
  const latest = await db.all(q.selectFrom('audit').selectAll().orderBy('id', 'desc').limit(MAX_COMMANDS));
  return latest.reverse();
}
