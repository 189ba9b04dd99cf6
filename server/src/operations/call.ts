import type { Caller } from '../access/authenticator.ts';
import { elsewhere, type Session } from '../access/credentials/session.ts';
import type { Principal } from '../access/principal.ts';
import type { Db, Reader, Tx } from '../db/contract.ts';
import type { EventTable } from '../feed/eventKind.ts';
import type { Files } from '../files/files.ts';
import { newRow } from '../lib/deps.ts';
import type { Seal } from '../lib/seal.ts';
import type { Quotas } from '../limits/quotas.ts';
import type { Limits } from '../limits/table.ts';
import type { Providers } from '../providers/providers.ts';
import type { PlatformSettings } from './platformSettings.ts';
import type { Services } from './services.ts';
import { type PendingEvents, type Work, workIn } from './work.ts';

/** The first argument of an operation's functions: the caller, the data, and the sources of time and randomness. */
export interface Call<R extends Reader = Reader> {
  /** Throws an Error in an open operation, which has no principal. */
  principal: Principal;
  /** The API key that was shown, and the digest of its value; undefined for any other credential, and in an open operation. */
  key: { readonly id: string; readonly digest: string } | undefined;
  /** The session that was shown; undefined for any other credential, and in an open operation. */
  sessionId: string | undefined;
  /** The same, with the digest by which it is remembered as acting in no server. */
  session: { readonly id: string; readonly digest: string } | undefined;
  /** Of a session: the last time at which the person proved who they are, in ms. Undefined for any other credential. */
  provenAt: number | undefined;
  /** Reads committed data; in a write, the transaction. */
  db: R;
  /** Milliseconds since the Unix epoch. */
  now: number;
  /** `id`, `createdAt` and `updatedAt` of a new row. */
  newRow(): { id: string; createdAt: number; updatedAt: number };
  randomBytes(size: number): Uint8Array;
  seal: Seal;
  /** Milliseconds after which the value of a key is refused as expired; Infinity for never. */
  maxKeyAgeMs: number;
  /** True if webhooks may send to private, loopback and link-local addresses. */
  privateWebhooks: boolean;
  events: EventTable;
  files: Files;
  quotas: Quotas;
  providers: Providers;
  settings: PlatformSettings;
  /** The state of the database. */
  engine: Pick<Db, 'health' | 'nodes' | 'skew'>;
  limits: Limits;
}

/** The call of a write. */
export type WriteCall = Call<Tx> & Work;

type CallServices = Pick<
  Services,
  | 'db'
  | 'deps'
  | 'events'
  | 'seal'
  | 'maxKeyAgeMs'
  | 'privateWebhooks'
  | 'consequences'
  | 'files'
  | 'quotas'
  | 'providers'
  | 'settings'
  | 'limits'
>;

/** The call of an operation that reads. */
export function callOf(services: CallServices, caller: Caller | undefined, db: Reader): Call {
  const { deps, events, seal, maxKeyAgeMs, privateWebhooks, files, quotas, providers, settings, limits } =
    services;
  const call: Omit<Call, 'principal'> = {
    key: keyOf(caller),
    sessionId: sessionIn(caller)?.id,
    session: sessionOf(caller),
    limits,
    provenAt: sessionIn(caller)?.provenAt,
    db,
    seal,
    maxKeyAgeMs,
    privateWebhooks,
    events,
    files,
    quotas,
    providers,
    settings,
    engine: services.db,
    now: deps.now(),
    randomBytes: deps.randomBytes,
    newRow: () => newRow(deps),
  };
  return withPrincipal(caller, call as Call);
}

/** The call of an operation inside a write, which adds its events to `pending`. */
export function writeCallOf(
  services: CallServices,
  caller: Caller | undefined,
  tx: Tx,
  pending: PendingEvents,
): WriteCall {
  const call = workIn(tx, services, caller?.principal.userId ?? null, pending) as WriteCall;
  call.key = keyOf(caller);
  call.sessionId = sessionIn(caller)?.id;
  call.session = sessionOf(caller);
  call.provenAt = sessionIn(caller)?.provenAt;
  call.seal = services.seal;
  call.maxKeyAgeMs = services.maxKeyAgeMs;
  call.privateWebhooks = services.privateWebhooks;
  call.events = services.events;
  call.files = services.files;
  call.quotas = services.quotas;
  call.providers = services.providers;
  call.settings = services.settings;
  call.engine = services.db;
  call.limits = services.limits;
  return withPrincipal(caller, call);
}

const keyOf = (caller: Caller | undefined): Call['key'] =>
  caller?.credential.kind === 'apiKey' ? { id: caller.credential.id, digest: caller.digest } : undefined;

const sessionOf = (caller: Caller | undefined): Call['session'] =>
  caller?.credential.kind === 'session'
    ? { id: caller.credential.id, digest: elsewhere(caller.digest, null) }
    : undefined;

const sessionIn = (caller: Caller | undefined): Session | undefined =>
  caller?.credential.kind === 'session' ? caller.credential : undefined;

/** Sets the principal of a call. Without a caller, reading it throws an Error. */
function withPrincipal<C extends Call>(caller: Caller | undefined, call: C): C {
  if (caller) {
    call.principal = caller.principal;
    return call;
  }
  return Object.defineProperty(call, 'principal', {
    get: () => {
      throw new Error('an open operation has no principal');
    },
  });
}
