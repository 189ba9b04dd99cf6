import { familyDigestOf, newGrantToken, newRefreshToken } from '../../access/credentials/grant.ts';
import { digestOf } from '../../access/credentials/token.ts';
import type { Reader } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { find, insert, remove, update } from '../../db/statements.ts';
import { ACCESS_MS, GRANT_MS } from '../../db/tables/grant.ts';
import type { Services } from '../../operations/services.ts';
import { personActor, transactOnAccount, type Work, workIn } from '../../operations/work.ts';
import { clientOf, recordHistory } from '../history/record.ts';
import type { Refusal } from './parameters.ts';
import { scopeOf } from './resource.ts';

/** Maximum grants per person. A new grant beyond the limit revokes the least recently used one. */
const MAX_GRANTS = 100;

/** The tokens of a grant, as returned in a token response. */
export interface GrantTokens {
  token: string;
  refreshToken: string;
  /** The lifetime of the access token, in seconds. */
  expiresIn: number;
  scope: string;
}

type Approved = Pick<RowOf<'approval'>, 'client' | 'address' | 'clientName' | 'resource' | 'flags'>;

/** Creates a grant and its first tokens. Only their digests are stored: the result is the only copy. */
export async function addGrant(
  work: Work,
  userId: string,
  serverId: string,
  { client, address, clientName, resource, flags }: Approved,
): Promise<GrantTokens & { id: string }> {
  const { db, newRow, randomBytes } = work;
  const [token, refreshToken] = [newGrantToken(randomBytes), newRefreshToken(randomBytes)];
  const made = newRow();
  const at = made.createdAt;
  const row: RowOf<'grant'> = {
    ...made,
    userId,
    serverId,
    client,
    name: clientName ?? client,
    flags: flags ?? [],
    resource: resource ?? '',
    digest: digestOf(token),
    tokenExpiresAt: at + ACCESS_MS,
    earlierDigest: null,
    earlierExpiresAt: null,
    familyDigest: familyDigestOf(refreshToken),
    refreshDigest: digestOf(refreshToken),
    expiresAt: at + GRANT_MS,
    lastUsedAt: at,
  };
  const others = await db.all(find('grant', { userId }));
  const beyond = others.toSorted((one, other) => other.lastUsedAt - one.lastUsedAt).slice(MAX_GRANTS - 1);
  for (const { id } of beyond) await db.run(remove('grant', { id }));
  await db.run(insert('grant', row));
  await recordHistory(work, { userId, type: 'grantAdded', ...clientOf({ device: row.name, address }) });
  return { id: row.id, token, refreshToken, expiresIn: ACCESS_MS / 1000, scope: scopeOf(row.flags) };
}

/**
 * Whether a person can act in a server: they are a member and not suspended, and the server is not deleted.
 */
export async function canActIn(db: Reader, userId: string, serverId: string): Promise<boolean> {
  const [user, member, server] = await Promise.all([
    db.first(find('user', { id: userId })),
    db.first(find('serverMember', { serverId, userId })),
    db.first(find('server', { id: serverId })),
  ]);
  return user?.suspendedAt === null && member !== undefined && server?.deletedAt === null;
}

/** A request for new tokens. `resource` and `scope` are checked only if they are given. */
export interface Refreshing {
  client: string;
  refreshToken: string;
  resource: string | undefined;
  scope: string | undefined;
}

/**
 * Exchanges a refresh token for new tokens, or returns the error. A refresh token can be used once, on any
 * node. Reuse means that the token has leaked, so the grant is revoked (RFC 9700, 4.14.2). The previous
 * access token works until it expires.
 */
export async function refresh(
  services: Services,
  { client, refreshToken, resource, scope }: Refreshing,
  address: string,
): Promise<GrantTokens | Refusal> {
  const familyDigest = familyDigestOf(refreshToken);
  const found = await services.db.read.first(find('grant', { familyDigest }));
  if (!found) return 'invalid_grant';
  const { id, userId } = found;
  return transactOnAccount(services, userId, async (tx, pending) => {
    const work = workIn(tx, services, personActor(userId), pending);
    const { now, randomBytes } = work;
    const row = await tx.first(find('grant', { id }));
    if (!row || row.expiresAt <= now) return 'invalid_grant';
    if (row.refreshDigest !== digestOf(refreshToken)) {
      await endGrant(work, row, address);
      return 'invalid_grant';
    }
    if (row.client !== client || !(await canActIn(tx, userId, row.serverId))) return 'invalid_grant';
    if (resource !== undefined && resource !== row.resource) return 'invalid_target';
    if (scope !== undefined && !isWithin(scope, scopeOf(row.flags))) return 'invalid_scope';
    const [token, next] = [newGrantToken(randomBytes), newRefreshToken(randomBytes, refreshToken)];
    await tx.run(
      update('grant', id, {
        digest: digestOf(token),
        tokenExpiresAt: now + ACCESS_MS,
        earlierDigest: row.digest,
        earlierExpiresAt: row.tokenExpiresAt,
        refreshDigest: digestOf(next),
        lastUsedAt: now,
        updatedAt: now,
      }),
    );
    const expiresIn = Math.ceil(Math.min(ACCESS_MS, row.expiresAt - now) / 1000);
    return { token, refreshToken: next, expiresIn, scope: scopeOf(row.flags) };
  });
}

function isWithin(asked: string, granted: string): boolean {
  const all = granted.split(' ');
  return asked.split(' ').every((each) => all.includes(each));
}

/** Revokes a grant with all its tokens. Concurrent revocations are recorded once. */
export async function endGrant(
  work: Pick<Work, 'db' | 'newRow' | 'now'>,
  { id, userId, name }: Pick<RowOf<'grant'>, 'id' | 'userId' | 'name'>,
  address: string | null,
): Promise<void> {
  if ((await work.db.count(remove('grant', { id }))) !== 1) return;
  await recordHistory(work, { userId, type: 'grantRevoked', device: name, address });
}
