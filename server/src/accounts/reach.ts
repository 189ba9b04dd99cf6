import type { RowOf } from '../db/schema.ts';
import { find, insert, remove, update } from '../db/statements.ts';
import { FIRST_WAIT_MS } from '../db/tables/emailDigest.ts';
import type { WriteCall } from '../operations/call.ts';
import { sent } from '../resources/common.ts';
import { setKeywords } from '../resources/keywords/keywords.ts';

interface Reach {
  pushContent?: RowOf<'person'>['pushContent'] | undefined;
  digest?: 'off' | 'mentions' | undefined;
  language?: string | null | undefined;
  quietHours?: RowOf<'person'>['quietHours'] | undefined;
  keywords?: readonly string[] | undefined;
}

/**
 * Changes the caller's notification settings: the content of pushes, email digests, quiet hours, keywords.
 */
export async function setReach(call: WriteCall, body: Reach): Promise<void> {
  const { db, principal, newRow } = call;
  const { userId } = principal;
  const fields = sent(body, 'pushContent', 'language', 'quietHours');
  if (Object.keys(fields).length > 0)
    await db.run(update('person', userId, fields as Partial<RowOf<'person'>>));
  if (body.keywords !== undefined) await setKeywords(call, userId, body.keywords);
  if (body.digest === undefined) return;
  if (body.digest === 'off') return db.run(remove('emailDigest', { id: userId }));
  if (await db.first(find('emailDigest', { id: userId }))) return;
  const made = newRow();
  // Digests start with messages sent from now on.
  const row = {
    ...made,
    id: userId,
    dueAt: null,
    sentAt: null,
    waitMs: FIRST_WAIT_MS,
    notificationId: made.id,
  };
  await db.run(insert('emailDigest', row));
}
