import type { Caller } from '../access/authenticator.ts';
import { conditions, requireCondition } from '../access/conditions.ts';
import type { Credential } from '../access/credentials/index.ts';
import { elsewhere, type Session } from '../access/credentials/session.ts';
import { requireNotGranted } from '../access/granted.ts';
import type { Principal } from '../access/principal.ts';
import type { Reader, Tx } from '../db/contract.ts';
import { newRow } from '../lib/deps.ts';
import type { From } from './from.ts';
import type { Services } from './services.ts';
import { type Actor, type PendingEvents, type Work, Working } from './work.ts';

/** The first argument that an operation's functions receive: caller, data and services. */
export interface Call<R extends Reader = Reader> {
  /** Reading this throws an Error in an open operation without a caller. */
  principal: Principal;
  /** The caller's credential and principal; undefined if the request is not authenticated. */
  caller: Caller | undefined;
  /** Reads committed data. In a write, this is the transaction. */
  db: R;
  /** Milliseconds since the Unix epoch. */
  now: number;
  /** Returns the `id`, `createdAt` and `updatedAt` of a new row. */
  newRow(): { id: string; createdAt: number; updatedAt: number };
  services: Services;
}

/** The call of a write. */
export interface WriteCall extends Call<Tx>, Work {
  /** The client that called the act; undefined for any other write. */
  from: From | undefined;
  /** The result of the operation's `before`; undefined if it has none. */
  found?: object;
}

/** Creates the call of an operation that reads. */
export function callOf(services: Services, caller: Caller | undefined, db: Reader): Call {
  const { deps } = services;
  const call: Call = {
    // Without a caller, `withPrincipal` replaces this `undefined` with a getter that throws.
    principal: caller?.principal as Principal,
    caller,
    db,
    now: deps.now(),
    newRow: () => newRow(deps),
    services,
  };
  return withPrincipal(call);
}

/** Creates the call of an operation inside a write. The call adds its events to `pending`. */
export function writeCallOf(
  services: Services,
  caller: Caller | undefined,
  tx: Tx,
  pending: PendingEvents,
  from?: From,
): WriteCall {
  return withPrincipal(new Writing(services, caller, tx, pending, from));
}

/** The kinds of credentials that act as a person. */
const ofPerson: ReadonlySet<Credential['kind']> = new Set(['session', 'deferred', 'grant']);

/**
 * Returns the actor of a caller's changes. A session, an app with a grant and deferred work act as a person.
 * Any other credential acts as a key, even if its user is a person, because others may hold it.
 */
export const actorOf = ({ credential, principal: { userId } }: Caller): Actor => ({
  kind: ofPerson.has(credential.kind) ? 'person' : 'key',
  id: userId,
});

/**
 * This is a class, so that all calls share one hidden class. Adding fields to a `Work` one by one would
 * change its hidden class each time.
 */
class Writing extends Working implements WriteCall {
  declare readonly principal: Principal;
  declare readonly caller: Caller | undefined;
  declare readonly services: Services;
  declare readonly from: From | undefined;

  constructor(
    services: Services,
    caller: Caller | undefined,
    tx: Tx,
    pending: PendingEvents,
    from: From | undefined,
  ) {
    super(tx, services, caller && actorOf(caller), pending);
    this.principal = caller?.principal as Principal;
    this.caller = caller;
    this.services = services;
    this.from = from;
  }
}

/** Returns the caller's API key and the digest of its value; undefined for any other credential. */
export const keyOf = ({ caller }: Pick<Call, 'caller'>): { id: string; digest: string } | undefined =>
  caller?.credential.kind === 'apiKey' ? { id: caller.credential.id, digest: caller.digest } : undefined;

/** Returns the caller's session; undefined for any other credential. */
export const sessionOf = ({ caller }: Pick<Call, 'caller'>): Session | undefined =>
  caller?.credential.kind === 'session' ? caller.credential : undefined;

/**
 * Returns when the session's person last authenticated, in ms since the Unix epoch. Call this only in
 * operations for people.
 */
export const provenAtOf = (call: Pick<Call, 'caller'>): number => sessionOf(call)?.provenAt as number;

/**
 * Throws FORBIDDEN unless the person has authenticated recently. API keys are not affected. Apps with a grant
 * are always rejected.
 */
export function requireProven(call: Call): void {
  const { principal, now } = call;
  requireNotGranted(principal);
  requireCondition(principal, conditions.proven, { provenAt: sessionOf(call)?.provenAt, now });
}

/**
 * Returns the caller's session for use outside of servers: its id, and the digest under which such use is
 * cached. Undefined for any other credential.
 */
export const serverlessOf = ({ caller }: Pick<Call, 'caller'>): { id: string; digest: string } | undefined =>
  caller?.credential.kind === 'session'
    ? { id: caller.credential.id, digest: elsewhere(caller.digest, null) }
    : undefined;

/** Adds the caller's principal to a call. Without a caller, reading the principal throws an Error. */
function withPrincipal<C extends Call>(call: C): C {
  if (call.caller) return call;
  return Object.defineProperty(call, 'principal', {
    get: () => {
      throw new Error('an open operation has no principal');
    },
  });
}
