import type { RowOf } from '../db/schema.ts';
import { find, q } from '../db/statements.ts';
import { eraseUser, Interrupted } from './erase.ts';
import type { ErasureData } from './erasureData.ts';
import type { GoesOn } from './forget.ts';

const nextClosing = (after: string) =>
  q.selectFrom('closing').selectAll().where('id', '>', after).orderBy('id').limit(1);

/** Accounts per round. Each is searched for in all logs, so other upkeep gets its turn in between. */
const MAX_IN_ROUND = 1;

const FIRST = '00000000-0000-0000-0000-000000000000';

/** Erases users who closed their accounts, one after the other. A failure does not block the others. */
export async function eraseClosed(data: ErasureData, goesOn: GoesOn): Promise<void> {
  const errors: unknown[] = [];
  let closing: RowOf<'closing'> | undefined;
  let after = FIRST;
  for (let count = 0; count < MAX_IN_ROUND; count++) {
    closing = await data.db.read.first(nextClosing(after));
    if (!closing || !(await goesOn())) break;
    after = closing.id;
    const user = await data.db.read.first(find('user', { id: closing.id }));
    if (!user) continue;
    try {
      await eraseUser(data, user, { withMessages: closing.withMessages, goesOn });
    } catch (error) {
      if (!(error instanceof Interrupted)) errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}
