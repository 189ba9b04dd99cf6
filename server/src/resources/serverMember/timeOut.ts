import { conditions, requireCondition } from '../../access/conditions.ts';
import { MAX_TIMEOUT_MS } from '../../access/timeOut.ts';
import type { RowOf } from '../../db/schema.ts';
import { find, prepare, q } from '../../db/statements.ts';
import { invalid } from '../../errors.ts';
import type { WriteCall } from '../../operations/call.ts';

const moderatorRoles = prepare((p: { serverId: string; userId: string }) =>
  q
    .selectFrom('userRole')
    .innerJoin('role', 'role.id', 'userRole.roleId')
    .select('userRole.id')
    .where('userRole.serverId', '=', p.serverId)
    .where('userRole.userId', '=', p.userId)
    .where((eb) => eb.or([eb('role.canModerate', '=', true), eb('role.canAdmin', '=', true)]))
    .limit(1),
);

/**
 * Throws FORBIDDEN unless the caller may set the end of this member's time-out, and INVALID_REQUEST for an
 * end that is too far ahead. `until` is undefined if the request does not set it.
 */
export async function requireTimeOut(
  { db, now, principal }: Pick<WriteCall, 'db' | 'now' | 'principal'>,
  { serverId, userId, timeoutUntil }: RowOf<'serverMember'>,
  until: number | null | undefined,
): Promise<void> {
  if (until === undefined || until === timeoutUntil) return;
  const [server, role] = await Promise.all([
    db.first(find('server', { id: serverId })),
    db.first(moderatorRoles({ serverId, userId })),
  ]);
  // A time-out can still be ended if the member has become a moderator in the meantime.
  const isModerator = until !== null && (role !== undefined || server?.creatorId === userId);
  requireCondition(principal, conditions.timesOut, { userId, isModerator });
  if (until !== null && until > now + MAX_TIMEOUT_MS)
    throw invalid(
      'out_of_range',
      'timeoutUntil',
      `must be at most ${MAX_TIMEOUT_MS / 86_400_000} days ahead`,
    );
}
