import { conditions, requireCondition } from '../access/conditions.ts';
import type { Principal } from '../access/principal.ts';
import { isListed } from '../access/whereVisible.ts';
import type { Tx } from '../db/contract.ts';
import { findPart, q } from '../db/statements.ts';
import { MAX_RETENTION_DAYS } from '../db/tables/retention.ts';
import { Type } from '../lib/schema.ts';
import { nullable } from '../operations/fields.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Days after which messages are deleted. */
export const retentionDays = (none: string) =>
  nullable(
    Type.Integer({
      minimum: 1,
      maximum: MAX_RETENTION_DAYS,
      description: `Days after which messages and their files are deleted; null ${none}. Only admins can change it`,
    }),
  );

/** Throws FORBIDDEN if the request changes the retention, but the caller may not change it. */
export function requireRetention(
  principal: Principal,
  found: { retentionDays: number | null },
  { retentionDays }: { retentionDays?: number | null },
): void {
  if (retentionDays !== undefined && retentionDays !== found.retentionDays)
    requireCondition(principal, conditions.setsRetention, {});
}

/** Schedules a check of a server's channels, or of one of them, after their retention has changed. */
export async function retentionChanged(tx: Tx, serverId: string, channelId?: string): Promise<void> {
  let channels = q
    .selectFrom('channel')
    .select((eb) => ['id', 'serverId', eb.lit(0).as('dueAt')])
    .where('serverId', '=', serverId)
    .where(isListed);
  if (channelId !== undefined) channels = channels.where('id', '=', channelId);
  await tx.run(
    q
      .insertInto('retention')
      .columns(['id', 'serverId', 'dueAt'])
      .expression(channels)
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ dueAt: 0 })),
  );
}

/** Schedules the first check of a new channel in a day (the shortest retention), if its messages expire. */
export async function retentionBegins(
  tx: Tx,
  { id, serverId, retentionDays }: { id: string; serverId: string; retentionDays: number | null },
  now: number,
): Promise<void> {
  const days =
    retentionDays ?? (await tx.first(findPart('server', serverId, ['retentionDays'])))?.retentionDays;
  if (days != null) await tx.run(q.insertInto('retention').values({ id, serverId, dueAt: now + DAY_MS }));
}
