import type { Reader } from '../db/contract.ts';
import { prepare, q } from '../db/statements.ts';
import type { Flag } from '../lib/flags.ts';
import { forbidden } from './predicates.ts';
import type { Principal } from './principal.ts';

/** Nobody can give, or take, what they do not have (decisions, part 5). Throws FORBIDDEN. */
export function requireHolds(principal: Principal, rule: string, flags: readonly Flag[]): void {
  const missing = flags.filter((flag) => !principal.flags.has(flag));
  if (missing.length === 0) return;
  throw forbidden(
    principal,
    `${rule}; nobody can give what they do not have`,
    missing,
    `this key's role lacks ${missing.join(', ')}, and nobody can give what they do not have`,
  );
}

const administrators = prepare((p: { serverId: string }) =>
  q
    .selectFrom('userRole')
    .innerJoin('role', 'role.id', 'userRole.roleId')
    .innerJoin('serverMember', (join) =>
      join
        .onRef('serverMember.serverId', '=', 'userRole.serverId')
        .onRef('serverMember.userId', '=', 'userRole.userId'),
    )
    .select('userRole.id')
    .where('userRole.serverId', '=', p.serverId)
    .where('role.canAdmin', '=', true)
    .limit(1),
);

/** Somebody must be left who administers the server (decisions, part 5): called after a change that may end that. Throws FORBIDDEN. */
export async function requireAdministrable(
  tx: Reader,
  principal: Principal,
  serverId: string,
): Promise<void> {
  if (await tx.first(administrators({ serverId }))) return;
  throw forbidden(
    principal,
    'the last way for someone to administer the server cannot be removed',
    [],
    'nobody would be left to administer this server: give another member a role with canAdmin first',
  );
}
