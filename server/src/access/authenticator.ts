import type { Db, Tx } from '../db/contract.ts';
import { ApiError } from '../errors.ts';
import { Recent } from '../lib/recent.ts';
import { deferredKey, memberWithRole } from './credentials/deferred.ts';
import { type Credential, credentialKinds } from './credentials/index.ts';
import type { CredentialKind } from './credentials/kind.ts';
import { principalOf, tenantIn } from './credentials/powers.ts';
import { elsewhere, keyOf } from './credentials/session.ts';
import { digestOf } from './credentials/token.ts';
import { Loads } from './loads.ts';
import type { Principal } from './principal.ts';

/** An authenticated caller: the credential presented, and its principal. */
export interface Caller {
  readonly credential: Credential;
  readonly principal: Principal;
  /**
   * The tenant to which this node's limits attribute the caller's work: the person (for a session or grant),
   * or the owner of the server (for a key, an incoming webhook or a flow). One person is therefore one
   * tenant, however many servers they own. Each server owned by a platform admin is a separate tenant,
   * because admins create servers for others.
   */
  readonly tenant: string;
  /**
   * The digest of the presented token. A key that is being rotated has two tokens, which expire at
   * different times.
   */
  readonly digest: string;
  /** The `authorityVersion` just before the principal was read. */
  readonly version: number;
}

/**
 * Returns the tenant for fair scheduling: the server in which the caller acts, or the user if there is none.
 */
export const tenantOf = ({ principal: { serverId, userId } }: Caller): string => serverId ?? userId;

/** A token as a client presents it. */
export interface Presented {
  readonly kind: Credential['kind'];
  readonly token: string;
  /**
   * SHA-256 of the token (hexadecimal). For a session, this includes the server in which the session acts
   * (`keyOf`).
   */
  readonly digest: string;
}

/** Creates a `Presented` from a token. */
export const present = (kind: 'apiKey' | 'grant' | 'hookToken', token: string): Presented => ({
  kind,
  token,
  digest: digestOf(token),
});

/** Creates a `Presented` from a session token, to act in a server or in none. */
export const presentSession = (token: string, serverId: string | null): Presented => ({
  kind: 'session',
  token,
  digest: keyOf({ digest: digestOf(token), serverId }),
});

/** Maximum cached callers per kind of credential. */
const MAX_REMEMBERED = 20_000;

/** The cache of one kind of credential. */
class Known {
  readonly loads: Loads;
  readonly toCaller: (row: object, digest: string, version: number) => Caller;
  /** Keyed by `Presented.digest`. */
  readonly callers = new Recent<string, Caller>(MAX_REMEMBERED);

  constructor(db: Db, kind: CredentialKind<Credential>) {
    this.loads = new Loads(db, kind);
    this.toCaller = (row, digest, version) => ({ ...kind.toCaller(row, digest), digest, version });
  }
}

/**
 * Turns credentials into callers (specification, part 5). Callers are cached until the permissions of their
 * server or user change, whether in this process or in another one that uses the same data. A cached caller
 * outlives a revocation by another process by at most the poll interval (`db/contract.ts`).
 */
export class Authenticator {
  readonly #db: Db;
  readonly #now: () => number;
  /** Lifetime of a key's value in milliseconds; Infinity if it never expires. */
  readonly #maxKeyAgeMs: number;
  readonly #known: Readonly<Record<Credential['kind'], Known>>;

  constructor(db: Db, now: () => number, maxKeyAgeMs: number) {
    this.#db = db;
    this.#now = now;
    this.#maxKeyAgeMs = maxKeyAgeMs;
    const { apiKey, deferred, flow, grant, hookToken, session } = credentialKinds;
    this.#known = {
      apiKey: new Known(db, apiKey),
      deferred: new Known(db, deferred),
      flow: new Known(db, flow),
      grant: new Known(db, grant),
      hookToken: new Known(db, hookToken),
      session: new Known(db, session),
    };
  }

  /** Returns false if the caller's permissions may have changed since they were read. */
  isCurrent({ version, principal }: Caller): boolean {
    return !this.#db.authorityHasChanged(version, principal);
  }

  /** Increases with every change of permissions. While it is unchanged, no caller becomes outdated. */
  get version(): number {
    return this.#db.authorityVersion();
  }

  /** When the caller's token expires, in milliseconds since the Unix epoch; Infinity if it never does. */
  endOf({ credential: { expiresAt, madeAt } }: Caller): number {
    const end = expiresAt ?? Number.POSITIVE_INFINITY;
    return madeAt === null ? end : Math.min(end, madeAt + this.#maxKeyAgeMs);
  }

  /** Whether the caller's token has expired. */
  isOver(caller: Caller): boolean {
    return this.hasPassed(this.endOf(caller));
  }

  /** Whether a time, in milliseconds since the Unix epoch, has passed. */
  hasPassed(at: number): boolean {
    return at <= this.#now();
  }

  /**
   * Authenticates a token; synchronous if the caller is cached. Throws INVALID_API_KEY, or UNAUTHORIZED for a
   * session or grant, if the token is malformed, unknown, revoked or expired, or its user is suspended.
   */
  authenticate({ kind, token, digest }: Presented): Caller | Promise<Caller> {
    const remembered = this.#remembered(kind, digest);
    if (remembered) return this.#requireLive(remembered);
    if (!credentialKinds[kind].isWellFormed(token)) throw refusal(kind, 'malformed');
    return this.authenticateDigest(kind, digest);
  }

  /** Authenticates a token when only its digest is known. Throws like `authenticate`. */
  async authenticateDigest(kind: Credential['kind'], digest: string): Promise<Caller> {
    const remembered = this.#remembered(kind, digest);
    return remembered ? this.#requireLive(remembered) : this.#loaded(kind, digest, true);
  }

  /**
   * Returns the caller with current permissions. Runs at low priority, so that requests go first, and reads
   * nothing while permissions are unchanged. Throws like `authenticate` if the credential was deleted or has
   * expired, its token was replaced, or its user was suspended.
   */
  async renewed(caller: Caller): Promise<Caller> {
    const { kind } = caller.credential;
    const current = this.isCurrent(caller) ? caller : this.#remembered(kind, caller.digest);
    return current ? this.#requireLive(current) : this.#loaded(kind, caller.digest, false);
  }

  /**
   * Returns the caller for the same session in another server, or in none. Like `renewed`, it runs at low
   * priority and may throw.
   */
  async actingIn({ credential: { kind }, digest }: Caller, serverId: string | null): Promise<Caller> {
    const key = elsewhere(digest, serverId);
    const remembered = this.#remembered(kind, key);
    return remembered ? this.#requireLive(remembered) : this.#loaded(kind, key, false);
  }

  /**
   * Returns the caller with the permissions that the transaction sees; synchronous if they are cached. Throws
   * like `renewed`.
   */
  within(tx: Tx, caller: Caller): Caller | Promise<Caller> {
    if (!tx.changesAuthority()) {
      const { kind } = caller.credential;
      const current = this.isCurrent(caller) ? caller : this.#remembered(kind, caller.digest);
      if (current) return this.#requireLive(current);
    }
    return this.#loadedWithin(tx, caller);
  }

  /**
   * Returns the caller for the same session in another server, with the permissions that the transaction
   * sees.
   */
  withinServer(tx: Tx, caller: Caller, serverId: string): Caller | Promise<Caller> {
    const digest = elsewhere(caller.digest, serverId);
    const known = tx.changesAuthority() ? undefined : this.#remembered(caller.credential.kind, digest);
    return known ? this.#requireLive(known) : this.#loadedWithin(tx, { ...caller, digest });
  }

  /**
   * Creates the caller for work that a user deferred in a server, with the permissions that the transaction
   * sees. If a credential with a single role deferred the work, only that role counts.
   */
  async deferredWithin(
    tx: Tx,
    { roleId = null, ...of }: { userId: string; serverId: string; roleId?: string | null },
  ): Promise<Caller> {
    const digest = deferredKey(of);
    if (roleId !== null) {
      const version = this.#db.authorityVersion();
      const member = await tx.first(memberWithRole({ ...of, roleId }));
      if (!member || isSuspended(member)) throw refusal('deferred', member ? 'suspended' : 'unknown');
      const credential = { kind: 'deferred', id: of.userId, expiresAt: null, madeAt: null } as const;
      return { credential, principal: principalOf(member), tenant: tenantIn(member), digest, version };
    }
    const row = await tx.first(credentialKinds.deferred.byDigests([digest]));
    if (!row || isSuspended(row)) throw refusal('deferred', row ? 'suspended' : 'unknown');
    return this.#known.deferred.toCaller(row, digest, this.#db.authorityVersion());
  }

  /** Loads the caller without caching it, because the transaction may roll back. */
  async #loadedWithin(tx: Tx, { digest, credential: { kind } }: Caller): Promise<Caller> {
    const version = this.#db.authorityVersion();
    const row = await tx.first(credentialKinds[kind].byDigests([digest]));
    if (!row) throw refusal(kind, 'unknown');
    if (isSuspended(row)) throw refusal(kind, 'suspended');
    return this.#requireLive(this.#known[kind].toCaller(row, digest, version));
  }

  #remembered(kind: Credential['kind'], digest: string): Caller | undefined {
    const caller = this.#known[kind].callers.get(digest);
    return caller && this.isCurrent(caller) ? caller : undefined;
  }

  async #loaded(kind: Credential['kind'], digest: string, isUrgent: boolean): Promise<Caller> {
    const { loads, callers, toCaller } = this.#known[kind];
    const asked = this.#db.authorityVersion();
    for (;;) {
      const { row, version } = await loads.load(digest, isUrgent);
      const caller = row && !isSuspended(row) ? toCaller(row, digest, version) : undefined;
      const isCurrent = caller !== undefined && this.isCurrent(caller);
      if (isCurrent) callers.set(digest, caller);
      // This load started before the call and may have read outdated permissions.
      if (version < asked && !isCurrent) continue;
      if (!caller) throw refusal(kind, row ? 'suspended' : 'unknown');
      return this.#requireLive(caller);
    }
  }

  #requireLive(caller: Caller): Caller {
    if (this.isOver(caller)) throw refusal(caller.credential.kind, 'expired');
    return caller;
  }
}

/** Whether a credential's user is suspended. */
const isSuspended = (row: object): boolean =>
  ((row as { suspendedAt?: number | null }).suspendedAt ?? null) !== null;

const refusal = (kind: Credential['kind'], why: keyof CredentialKind<never>['refusals']): ApiError =>
  unauthenticated(credentialKinds[kind].code, credentialKinds[kind].refusals[why]);

/** Creates an error with status 401 and a `WWW-Authenticate` header (RFC 9110, 11.6.1). */
export const unauthenticated = (code: 'UNAUTHORIZED' | 'INVALID_API_KEY', message: string): ApiError =>
  new ApiError(code, message, undefined, { 'www-authenticate': 'Bearer' });
