import type { Db, Reader } from '../db/contract.ts';
import { prepare, q } from '../db/statements.ts';
import { ApiError } from '../errors.ts';
import { effectiveFlags, type Flag, type Flags, flagNames, flagsOf } from '../lib/flags.ts';
import { digestOf, isHookToken, isWellFormed } from './apiKey.ts';

/** Who is asking: a key or an incoming webhook, the user it acts as, and what its role allows in its server. */
export interface Principal {
  /** The id of the key, or of the webhook. */
  readonly keyId: string;
  /** Where an incoming webhook posts; null for a key. */
  readonly hookChannelId: string | null;
  readonly userId: string;
  readonly userType: 'person' | 'agent';
  readonly platformAdmin: boolean;
  /** The one server that the key is for. */
  readonly serverId: string;
  readonly isServerCreator: boolean;
  readonly roleIds: readonly string[];
  /** The flags that the role sets. */
  readonly ownFlags: readonly Flag[];
  /** The same with what `canAdmin` implies. */
  readonly flags: ReadonlySet<Flag>;
  /** Milliseconds; null for never. */
  readonly expiresAt: number | null;
  readonly digest: string;
  /** The `authorityVersion` that it was read at. */
  readonly version: number;
}

/** What is read of the user that a key or a webhook acts as, of its server and of its role. */
const powers = [
  'user.id as userId',
  'user.type as userType',
  'user.platformAdmin',
  'server.creatorId',
  ...flagNames.map((flag) => `role.${flag}` as const),
] as const;

const keyByDigest = prepare((p: { digest: string }) =>
  q
    .selectFrom('secret')
    .innerJoin('role', 'role.id', 'secret.roleId')
    .innerJoin('user', 'user.id', 'secret.userId')
    .innerJoin('server', 'server.id', 'secret.serverId')
    .innerJoin('serverMember', (join) =>
      join
        .onRef('serverMember.serverId', '=', 'secret.serverId')
        .onRef('serverMember.userId', '=', 'secret.userId'),
    )
    .select(['secret.id as keyId', 'secret.expiresAt', 'secret.serverId', 'secret.roleId'])
    .select(powers)
    .where('secret.digest', '=', p.digest)
    .where('secret.kind', '=', 'apiKey'),
);

const hookByDigest = prepare((p: { digest: string }) =>
  q
    .selectFrom('webhook')
    .innerJoin('role', 'role.id', 'webhook.roleId')
    .innerJoin('user', 'user.id', 'webhook.userId')
    .innerJoin('server', 'server.id', 'webhook.serverId')
    .innerJoin('serverMember', (join) =>
      join
        .onRef('serverMember.serverId', '=', 'webhook.serverId')
        .onRef('serverMember.userId', '=', 'webhook.userId'),
    )
    .select([
      'webhook.id as keyId',
      'webhook.serverId',
      'webhook.roleId',
      'webhook.channelId as hookChannelId',
    ])
    .select(powers)
    .where('webhook.digest', '=', p.digest)
    .where('webhook.enabled', '=', true),
);

/** The header as clients write it; longer ones (any number of blanks is allowed) are read anew each time. */
const MAX_REMEMBERED_LENGTH = 64;
/** How many principals are remembered before all are forgotten. */
const MAX_REMEMBERED = 20_000;

/**
 * Turns `Authorization` into a principal (specification, part 5). A principal is remembered until a table that
 * decides who may do what changes, in this process or another on the same data: nothing outlives a revocation.
 */
export class Authenticator {
  readonly #db: Db;
  readonly #now: () => number;
  /** By the header as it was sent; and webhooks by their tokens, apart, so that neither passes for the other. */
  readonly #remembered = new Map<string, Principal>();
  readonly #rememberedHooks = new Map<string, Principal>();
  #version = 0;

  constructor(db: Db, now: () => number) {
    this.#db = db;
    this.#now = now;
  }

  /** Throws UNAUTHORIZED without a Bearer token, INVALID_API_KEY for one that is malformed, unknown, revoked or expired. */
  authenticate(authorization = ''): Promise<Principal> {
    return this.#recall(this.#remembered, authorization, (version) =>
      this.#load(digestOf(keyIn(authorization)), this.#db.read, version),
    );
  }

  /** The principal of an incoming webhook. Throws INVALID_API_KEY for a token that is malformed, unknown, disabled or revoked. */
  authenticateHook(token: string): Promise<Principal> {
    return this.#recall(this.#rememberedHooks, token, (version) => {
      if (!isHookToken(token)) throw refused('INVALID_API_KEY', 'this is no address of a Palaver webhook');
      return this.#loadHook(digestOf(token), this.#db.read, version);
    });
  }

  async #recall(
    remembered: Map<string, Principal>,
    credential: string,
    load: (version: number) => Promise<Principal>,
  ): Promise<Principal> {
    const version = this.#db.authorityVersion();
    if (version !== this.#version) {
      this.#remembered.clear();
      this.#rememberedHooks.clear();
      this.#version = version;
    }
    const known = remembered.get(credential);
    if (known) return this.#requireLive(known);
    const principal = await load(version);
    // While it was read the tables may have changed.
    if (credential.length <= MAX_REMEMBERED_LENGTH && this.#db.authorityVersion() === version) {
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      remembered.set(credential, principal);
    }
    return this.#requireLive(principal);
  }

  /** The principal as it is inside a transaction, where its role may just have changed. Throws INVALID_API_KEY. */
  async current(principal: Principal, tx: Reader): Promise<Principal> {
    const version = this.#db.authorityVersion();
    if (principal.version === version) return this.#requireLive(principal);
    const { digest, hookChannelId } = principal;
    const load = hookChannelId === null ? this.#load : this.#loadHook;
    return this.#requireLive(await load(digest, tx, version));
  }

  #load = async (digest: string, reader: Reader, version: number): Promise<Principal> => {
    const row = await reader.first(keyByDigest({ digest }));
    if (!row) throw refused('INVALID_API_KEY', 'this API key is unknown or was revoked');
    return toPrincipal({ ...(row as KeyRow), hookChannelId: null }, digest, version);
  };

  #loadHook = async (digest: string, reader: Reader, version: number): Promise<Principal> => {
    const row = await reader.first(hookByDigest({ digest }));
    if (!row) throw refused('INVALID_API_KEY', 'this webhook is unknown or disabled, or was revoked');
    return toPrincipal({ ...(row as KeyRow), expiresAt: null }, digest, version);
  };

  #requireLive(principal: Principal): Principal {
    if (principal.expiresAt !== null && principal.expiresAt <= this.#now()) {
      throw refused('INVALID_API_KEY', 'this API key has expired');
    }
    return principal;
  }
}

/** The well-formed key in a header. Throws UNAUTHORIZED or INVALID_API_KEY. */
function keyIn(authorization: string): string {
  const [, key] = /^bearer +(\S.*)$/i.exec(authorization) ?? [];
  if (key === undefined) {
    throw refused('UNAUTHORIZED', 'send the header "Authorization: Bearer <API key>"');
  }
  if (!isWellFormed(key)) {
    throw refused(
      'INVALID_API_KEY',
      'this is no Palaver API key: compare it with the one that was given out',
    );
  }
  return key;
}

type KeyRow = Flags & {
  keyId: string;
  hookChannelId: string | null;
  expiresAt: number | null;
  serverId: string;
  roleId: string;
  userId: string;
  userType: 'person' | 'agent';
  platformAdmin: boolean;
  creatorId: string;
};

function toPrincipal(row: KeyRow, digest: string, version: number): Principal {
  const ownFlags = flagsOf(row);
  return {
    keyId: row.keyId,
    hookChannelId: row.hookChannelId,
    userId: row.userId,
    userType: row.userType,
    platformAdmin: row.platformAdmin,
    serverId: row.serverId,
    isServerCreator: row.creatorId === row.userId,
    roleIds: [row.roleId],
    ownFlags,
    flags: effectiveFlags(ownFlags),
    expiresAt: row.expiresAt,
    digest,
    version,
  };
}

const refused = (code: 'UNAUTHORIZED' | 'INVALID_API_KEY', message: string): ApiError =>
  new ApiError(code, message, undefined, { 'www-authenticate': 'Bearer' });
