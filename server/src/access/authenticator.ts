import type { Db, Reader } from '../db/contract.ts';
import { ApiError } from '../errors.ts';
import { type Credential, credentialKinds } from './credentials/index.ts';
import type { CredentialKind } from './credentials/kind.ts';
import { digestOf } from './credentials/token.ts';
import type { Principal } from './principal.ts';

/** An authenticated caller: the credential shown, and its principal. */
export interface Caller {
  readonly credential: Credential;
  readonly principal: Principal;
  /** The digest of the token shown. A key that is being rotated has two tokens, which end at different times. */
  readonly digest: string;
  /** The `authorityVersion` at which the principal was read. */
  readonly version: number;
}

/** A token as a client presents it, with its digest. */
export interface Presented {
  readonly kind: Credential['kind'];
  readonly token: string;
  readonly digest: string;
}

/** Makes a `Presented` from a token. */
export const present = (kind: Credential['kind'], token: string): Presented => ({
  kind,
  token,
  digest: digestOf(token),
});

/** Size of each cache of callers; a full cache is emptied. */
const MAX_CACHED_CALLERS = 20_000;

/**
 * Turns credentials into callers (specification, part 5). Callers are cached until a table that decides permissions
 * changes, in this process or in another on the same data. So no cached caller outlives a revocation.
 */
export class Authenticator {
  readonly #db: Db;
  readonly #now: () => number;
  /** Milliseconds after which the value of a key is refused as expired; Infinity for never. */
  readonly #maxKeyAgeMs: number;
  /** The cached callers of each kind of credential, by the digest of the token. */
  readonly #callers = { apiKey: new Map<string, Caller>(), hookToken: new Map<string, Caller>() };
  #version = 0;

  constructor(db: Db, now: () => number, maxKeyAgeMs: number) {
    this.#db = db;
    this.#now = now;
    this.#maxKeyAgeMs = maxKeyAgeMs;
  }

  /**
   * The caller of a token, without a promise if they are cached. Throws INVALID_API_KEY if the token is malformed,
   * unknown, revoked or expired.
   */
  authenticate({ kind, token, digest }: Presented): Caller | Promise<Caller> {
    const version = this.#freshVersion();
    const cached = this.#callers[kind].get(digest);
    if (cached) return this.#requireLive(cached);
    if (!credentialKinds[kind].isWellFormed(token)) throw refusal(kind, 'malformed');
    return this.#load(kind, digest, this.#db.read, version);
  }

  /**
   * The caller with the permissions of now; if `reader` is a transaction, those that the transaction sees. Free while
   * no permission has changed. Throws INVALID_API_KEY if the credential was removed, its token replaced, or either has expired.
   */
  async current(caller: Caller, reader: Reader = this.#db.read): Promise<Caller> {
    const version = this.#freshVersion();
    if (caller.version === version) return this.#requireLive(caller);
    const { kind } = caller.credential;
    const cached = this.#callers[kind].get(caller.digest);
    if (cached) return this.#requireLive(cached);
    return this.#load(kind, caller.digest, reader, version);
  }

  /** The present `authorityVersion`. Empties the caches if it has changed. */
  #freshVersion(): number {
    const version = this.#db.authorityVersion();
    if (version !== this.#version) {
      for (const cache of Object.values(this.#callers)) cache.clear();
      this.#version = version;
    }
    return version;
  }

  #store(caller: Caller): void {
    // Permissions may have changed while the caller was loaded.
    if (this.#db.authorityVersion() !== caller.version) return;
    const cache = this.#callers[caller.credential.kind];
    if (cache.size >= MAX_CACHED_CALLERS) cache.clear();
    cache.set(caller.digest, caller);
  }

  async #load(kind: Credential['kind'], digest: string, reader: Reader, version: number): Promise<Caller> {
    const credentialKind: CredentialKind<Credential> = credentialKinds[kind];
    const row = await reader.first(credentialKind.byDigest({ digest }));
    if (!row) throw refusal(kind, 'unknown');
    const caller = { ...credentialKind.toCaller(row, digest), digest, version };
    // A transaction may see permissions that are not committed yet: never cache them.
    if (reader === this.#db.read) this.#store(caller);
    return this.#requireLive(caller);
  }

  #requireLive(caller: Caller): Caller {
    const { kind, expiresAt, madeAt } = caller.credential;
    const isOver = expiresAt !== null && expiresAt <= this.#now();
    const isTooOld = madeAt !== null && madeAt + this.#maxKeyAgeMs <= this.#now();
    if (isOver || isTooOld) throw refusal(kind, 'expired');
    return caller;
  }
}

const refusal = (kind: Credential['kind'], why: keyof CredentialKind<never>['refusals']): ApiError =>
  unauthenticated('INVALID_API_KEY', credentialKinds[kind].refusals[why]);

/** An error of status 401, with its `WWW-Authenticate` header (RFC 9110, 11.6.1). */
export const unauthenticated = (code: 'UNAUTHORIZED' | 'INVALID_API_KEY', message: string): ApiError =>
  new ApiError(code, message, undefined, { 'www-authenticate': 'Bearer' });
