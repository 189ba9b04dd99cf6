import type { Db, Reader } from '../db/contract.ts';
import { ApiError } from '../errors.ts';
import { type Credential, credentialKinds } from './credentials/index.ts';
import type { CredentialKind } from './credentials/kind.ts';
import { digestOf } from './credentials/token.ts';
import type { Principal } from './principal.ts';

/** Somebody who was authenticated: the credential that they showed, and the principal that it stands for. */
export interface Caller {
  readonly credential: Credential;
  readonly principal: Principal;
  /** The `authorityVersion` that it was read at. */
  readonly version: number;
}

/** A token as somebody shows it, with its digest. */
export interface Presented {
  readonly kind: Credential['kind'];
  readonly token: string;
  readonly digest: string;
}

/** A token to be authenticated. */
export const present = (kind: Credential['kind'], token: string): Presented => ({
  kind,
  token,
  digest: digestOf(token),
});

/** Callers of one kind of credential that are remembered before all are forgotten. */
const MAX_REMEMBERED = 20_000;

/**
 * Turns credentials into callers (specification, part 5). A caller is remembered until a table that decides about permissions
 * changes, in this process or in another on the same data: nothing outlives a revocation.
 */
export class Authenticator {
  readonly #db: Db;
  readonly #now: () => number;
  /** By kind and digest of the token, and by kind and id. */
  readonly #byToken = { apiKey: new Map<string, Caller>(), hookToken: new Map<string, Caller>() };
  readonly #byId = { apiKey: new Map<string, Caller>(), hookToken: new Map<string, Caller>() };
  #version = 0;

  constructor(db: Db, now: () => number) {
    this.#db = db;
    this.#now = now;
  }

  /**
   * The caller of a token, at once where it is remembered. Throws INVALID_API_KEY for one that is malformed, unknown, revoked or
   * expired.
   */
  authenticate({ kind, token, digest }: Presented): Caller | Promise<Caller> {
    const version = this.#freshVersion();
    const known = this.#byToken[kind].get(digest);
    if (known) return this.#requireLive(known);
    if (!credentialKinds[kind].isWellFormed(token)) throw refusal(kind, 'malformed');
    return this.#authenticateNewly(kind, digest, version);
  }

  async #authenticateNewly(kind: Credential['kind'], digest: string, version: number): Promise<Caller> {
    const caller = await this.#load(kind, 'byDigest', digest, this.#db.read, version);
    this.#remember(this.#byToken[kind], digest, caller);
    return this.#requireLive(caller);
  }

  /**
   * The caller as they stand now: at the time of a transaction if `reader` is one. Costs nothing while no permission has changed.
   * Throws INVALID_API_KEY once the credential is gone or has expired.
   */
  async current(caller: Caller, reader: Reader = this.#db.read): Promise<Caller> {
    const version = this.#freshVersion();
    if (caller.version === version) return this.#requireLive(caller);
    const { kind, id } = caller.credential;
    const known = this.#byId[kind].get(id);
    if (known) return this.#requireLive(known);
    const now = await this.#load(kind, 'byId', id, reader, version);
    // A transaction may see permissions that are not committed yet.
    if (reader === this.#db.read) this.#remember(this.#byId[kind], id, now);
    return this.#requireLive(now);
  }

  /** The present version; everything that was remembered at another is forgotten. */
  #freshVersion(): number {
    const version = this.#db.authorityVersion();
    if (version !== this.#version) {
      for (const maps of [this.#byToken, this.#byId]) for (const map of Object.values(maps)) map.clear();
      this.#version = version;
    }
    return version;
  }

  #remember(remembered: Map<string, Caller>, key: string, caller: Caller): void {
    // The tables may have changed while it was read.
    if (this.#db.authorityVersion() !== caller.version) return;
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.set(key, caller);
  }

  async #load(
    kind: Credential['kind'],
    by: 'byDigest' | 'byId',
    value: string,
    reader: Reader,
    version: number,
  ): Promise<Caller> {
    const known: CredentialKind<Credential> = credentialKinds[kind];
    const row = await reader.first(known[by]({ value }));
    if (!row) throw refusal(kind, 'unknown');
    return { ...known.toCaller(row), version };
  }

  #requireLive(caller: Caller): Caller {
    const { kind, expiresAt } = caller.credential;
    if (expiresAt !== null && expiresAt <= this.#now()) throw refusal(kind, 'expired');
    return caller;
  }
}

const refusal = (kind: Credential['kind'], why: keyof CredentialKind<never>['refusals']): ApiError =>
  unauthenticated('INVALID_API_KEY', credentialKinds[kind].refusals[why]);

/** A refusal for want of a credential that counts, with the header that a 401 has. */
export const unauthenticated = (code: 'UNAUTHORIZED' | 'INVALID_API_KEY', message: string): ApiError =>
  new ApiError(code, message, undefined, { 'www-authenticate': 'Bearer' });
