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
import type { Figures } from './figures.ts';
import type { KeyCounts } from './keyCounts.ts';
import type { PlatformSettings } from './platformSettings.ts';
import type { Services } from './services.ts';
import { type PendingEvents, type Work, Working } from './work.ts';

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
  /** False where no mail server is set. */
  sendsMails: boolean;
  /** The state of the database. */
  engine: Pick<Db, 'health' | 'nodes' | 'skew'>;
  /** The figures of this node. */
  figures(): Figures;
  limits: Limits;
  /** The requests of API keys, as this process has counted them. */
  keyCounts: KeyCounts;
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
  | 'mail'
  | 'limits'
  | 'figures'
  | 'keyCounts'
>;

/** The call of an operation that reads. */
export function callOf(services: CallServices, caller: Caller | undefined, db: Reader): Call {
  const { deps, events, seal, maxKeyAgeMs, privateWebhooks, files, quotas, providers, settings, limits } =
    services;
  const call: Call = {
    // Without a caller, `withPrincipal` replaces it.
    principal: caller?.principal as Principal,
    key: keyOf(caller),
    sessionId: sessionIn(caller)?.id,
    session: sessionOf(caller),
    limits,
    keyCounts: services.keyCounts,
    figures: services.figures,
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
    sendsMails: services.mail !== undefined,
    engine: services.db,
    now: deps.now(),
    randomBytes: deps.randomBytes,
    newRow: () => newRow(deps),
  };
  return withPrincipal(caller, call);
}

/** The call of an operation inside a write, which adds its events to `pending`. */
export function writeCallOf(
  services: CallServices,
  caller: Caller | undefined,
  tx: Tx,
  pending: PendingEvents,
): WriteCall {
  return withPrincipal(caller, new Writing(services, caller, tx, pending));
}

/** A class, so that a call has room for all its fields from the start: added to a `Work` one by one, they would be moved five times. */
class Writing extends Working implements WriteCall {
  declare principal: Principal;
  declare key: Call['key'];
  declare sessionId: Call['sessionId'];
  declare session: Call['session'];
  declare provenAt: Call['provenAt'];
  declare seal: Seal;
  declare maxKeyAgeMs: number;
  declare privateWebhooks: boolean;
  declare events: EventTable;
  declare files: Files;
  declare quotas: Quotas;
  declare providers: Providers;
  declare settings: PlatformSettings;
  declare sendsMails: boolean;
  declare engine: Call['engine'];
  declare figures: Call['figures'];
  declare limits: Limits;
  declare keyCounts: KeyCounts;

  constructor(services: CallServices, caller: Caller | undefined, tx: Tx, pending: PendingEvents) {
    super(tx, services, caller?.principal.userId ?? null, pending);
    this.principal = caller?.principal as Principal;
    this.key = keyOf(caller);
    this.sessionId = sessionIn(caller)?.id;
    this.session = sessionOf(caller);
    this.provenAt = sessionIn(caller)?.provenAt;
    this.seal = services.seal;
    this.maxKeyAgeMs = services.maxKeyAgeMs;
    this.privateWebhooks = services.privateWebhooks;
    this.events = services.events;
    this.files = services.files;
    this.quotas = services.quotas;
    this.providers = services.providers;
    this.settings = services.settings;
    this.sendsMails = services.mail !== undefined;
    this.engine = services.db;
    this.figures = services.figures;
    this.limits = services.limits;
    this.keyCounts = services.keyCounts;
  }
}

const keyOf = (caller: Caller | undefined): Call['key'] =>
  caller?.credential.kind === 'apiKey' ? { id: caller.credential.id, digest: caller.digest } : undefined;

const sessionOf = (caller: Caller | undefined): Call['session'] =>
  caller?.credential.kind === 'session'
    ? { id: caller.credential.id, digest: elsewhere(caller.digest, null) }
    : undefined;

const sessionIn = (caller: Caller | undefined): Session | undefined =>
  caller?.credential.kind === 'session' ? caller.credential : undefined;

/** A call with the principal of its caller. Without one, reading it throws an Error. */
function withPrincipal<C extends Call>(caller: Caller | undefined, call: C): C {
  if (caller) return call;
  return Object.defineProperty(call, 'principal', {
    get: () => {
      throw new Error('an open operation has no principal');
    },
  });
}
