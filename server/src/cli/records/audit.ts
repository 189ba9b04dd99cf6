import type { Reader } from '../../db/contract.ts';
import { q } from '../../db/statements.ts';

/** The latest commands that the list shows. */
const MAX_COMMANDS = 1_000;

/** The latest commands that have changed something, oldest first. */
export async function listCommands(db: Reader) {
  const latest = await db.all(q.selectFrom('audit').selectAll().orderBy('id', 'desc').limit(MAX_COMMANDS));
  return latest.reverse();
}
