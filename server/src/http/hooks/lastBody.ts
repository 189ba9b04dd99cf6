import { find, q } from '../../db/statements.ts';
import type { Services } from '../../operations/services.ts';
import { boundedCopy } from '../../payloads/boundedCopy.ts';

/** Maximum number of characters of a body to store. */
const MAX_KEPT = 16_000;

/**
 * Stores the start of the last body that the webhook has received, for previews of its template. Never
 * rejects, because messages must not depend on it.
 */
export async function keepBody(
  { db, deps, seal, disks }: Services,
  { id, serverId }: { id: string; serverId: string },
  payload: unknown,
): Promise<void> {
  try {
    await disks.data.requireRoom();
    const { copy: body, isWhole } = boundedCopy(payload, MAX_KEPT);
    const cell = { table: 'webhookBody', column: 'sealed', id };
    const sealed = seal.seal(JSON.stringify({ body, isWhole }), cell);
    const now = deps.now();
    const row = { id, createdAt: now, updatedAt: now, sealed };
    const kept = q
      .insertInto('webhookBody')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ updatedAt: now, sealed }));
    await db.write(async (tx) => {
      // The webhook may have been deleted since it received the body.
      if (await tx.first(find('webhook', { id }))) await tx.run(kept);
    }, serverId);
  } catch {
    // If this fails, the next body will be stored.
  }
}
