import { q } from '../../db/statements.ts';
import { forDigests } from './digests.ts';
import type { CredentialKind } from './kind.ts';
import { type PowersRow, powers, principalOf, tenantIn } from './powers.ts';
import { isWellFormed, newToken, prefixes } from './token.ts';

const PREFIX = prefixes.hook;

/** The token of an incoming webhook. It posts as one agent to one channel. */
export interface HookToken {
  readonly kind: 'hookToken';
  /** The id of the webhook. */
  readonly id: string;
  readonly channelId: string;
  /** Whether the webhook has a template. The template itself is too long to cache. */
  readonly hasTemplate: boolean;
  readonly expiresAt: null;
  readonly madeAt: null;
}

/** Generates a token. `randomBytes(size)` returns `size` random bytes. */
export const newHookToken = (randomBytes: (size: number) => Uint8Array): string =>
  newToken(PREFIX, randomBytes);

const byDigests = forDigests((digests) =>
  q
    .selectFrom('webhook')
    .innerJoin('role', 'role.id', 'webhook.roleId')
    .innerJoin('user', 'user.id', 'webhook.userId')
    .innerJoin('server', 'server.id', 'webhook.serverId')
    .innerJoin('user as owner', 'owner.id', 'server.creatorId')
    .innerJoin('serverMember', (join) =>
      join
        .onRef('serverMember.serverId', '=', 'webhook.serverId')
        .onRef('serverMember.userId', '=', 'webhook.userId'),
    )
    .select(['webhook.id', 'webhook.channelId', 'webhook.digest'])
    .select(({ eb }) => eb('webhook.template', 'is not', null).as('hasTemplate'))
    .select(powers)
    .where('webhook.digest', 'in', digests)
    .where('webhook.enabled', '=', true)
    .where('server.deletedAt', 'is', null),
);

export const hookTokens: CredentialKind<HookToken> = {
  isWellFormed: (token) => isWellFormed(PREFIX, token),
  byDigests,
  digestsOf: (row) => [(row as { digest: string }).digest],
  toCaller(row) {
    const { id, channelId, hasTemplate } = row as { id: string; channelId: string; hasTemplate: unknown };
    const template = { hasTemplate: Boolean(hasTemplate) };
    const credential = {
      kind: 'hookToken',
      id,
      channelId,
      ...template,
      expiresAt: null,
      madeAt: null,
    } as const;
    const powers = row as PowersRow;
    return { credential, principal: principalOf(powers), tenant: tenantIn(powers) };
  },
  code: 'INVALID_API_KEY',
  refusals: {
    malformed: 'this is not the URL of a Palaver webhook',
    unknown: 'this webhook does not exist, is disabled, or was revoked',
    expired: 'this webhook has expired',
    suspended: 'the agent of this webhook is suspended',
  },
};
