import { q } from '../../db/statements.ts';
import { forDigests } from './digests.ts';
import type { CredentialKind } from './kind.ts';
import { type PowersRow, powers, principalOf, tenantIn } from './powers.ts';

/** Lets a node act as the agent of a flow, with the flow's role. Requests cannot use it. */
export interface FlowAgent {
  readonly kind: 'flow';
  /** The id of the flow. */
  readonly id: string;
  readonly expiresAt: null;
  readonly madeAt: null;
}

const byIds = forDigests((ids) =>
  q
    .selectFrom('flow')
    .innerJoin('role', 'role.id', 'flow.roleId')
    .innerJoin('user', 'user.id', 'flow.userId')
    .innerJoin('server', 'server.id', 'flow.serverId')
    .innerJoin('user as owner', 'owner.id', 'server.creatorId')
    .innerJoin('serverMember', (join) =>
      join
        .onRef('serverMember.serverId', '=', 'flow.serverId')
        .onRef('serverMember.userId', '=', 'flow.userId'),
    )
    .select('flow.id')
    .select(powers)
    .where('flow.id', 'in', ids)
    .where('server.deletedAt', 'is', null),
);

export const flowAgents: CredentialKind<FlowAgent> = {
  isWellFormed: () => false,
  byDigests: byIds,
  digestsOf: (row) => [(row as { id: string }).id],
  toCaller(row) {
    const powers = row as PowersRow & { id: string };
    const credential = { kind: 'flow', id: powers.id, expiresAt: null, madeAt: null } as const;
    return { credential, principal: principalOf(powers), tenant: tenantIn(powers) };
  },
  code: 'UNAUTHORIZED',
  refusals: {
    malformed: 'no request can present this credential',
    unknown: 'the agent or the role of this flow was removed',
    expired: 'this has expired',
    suspended: 'the agent of this flow is suspended',
  },
};
