import type { Authenticator, Caller } from '../access/authenticator.ts';
import type { ApiKey } from '../access/credentials/apiKey.ts';
import type { Grant } from '../access/credentials/grant.ts';
import type { Session } from '../access/credentials/session.ts';
import type { KeyCounts } from '../access/keyCounts.ts';
import type { LastUse } from '../access/lastUse.ts';
import type { Principal } from '../access/principal.ts';
import type { Providers } from '../accounts/openid/providers.ts';
import type { Db, Reader } from '../db/contract.ts';
import type { EventTable } from '../feed/eventKind.ts';
import type { Feed } from '../feed/feed.ts';
import type { Files } from '../files/files.ts';
import type { AllowedHosts } from '../lib/allowedHosts.ts';
import type { Background } from '../lib/background.ts';
import type { Deps } from '../lib/deps.ts';
import type { Disks } from '../lib/diskSpace.ts';
import type { Seal } from '../lib/seal.ts';
import type { SecondFactorRule } from '../lib/secondFactor.ts';
import type { FlowBounds } from '../limits/bounds.ts';
import type { PlatformSettings } from '../limits/platformSettings.ts';
import type { Quotas } from '../limits/quotas.ts';
import type { Running } from '../limits/running.ts';
import type { Limiter } from '../limits/slidingWindow.ts';
import type { Limits } from '../limits/table.ts';
import type { Outbox } from '../mail/outbox.ts';
import type { Cursors } from './cursor.ts';
import type { RawInput } from './operation.ts';
import type { Consequences, Work } from './work.ts';

/**
 * Records failed sign-ins and reauthentications in accounts' histories. Responses do not wait for the write.
 */
interface FailedAttempts {
  note(
    userId: string,
    type: 'signInFailed' | 'proofFailed',
    from: { device: string | null; address: string },
  ): void;
  /** Writes the batch. Never rejects. */
  write(): Promise<void>;
}

/** An app's metadata document, as published by the app. It is unverified. */
export interface ClientDocument {
  /** The app's `client_id`, which is the URL from which the document was loaded. */
  url: string;
  name: string;
  /** The host of `url`, and its port unless that is the default. */
  host: string;
  redirectUris: readonly string[];
}

/** Loads the metadata documents of apps. */
export interface ClientDocuments {
  /** Throws INVALID_REQUEST if the document cannot be loaded or is not valid. */
  of(url: string): Promise<ClientDocument>;
}

/** The dependencies of operations. */
export interface Services {
  db: Db;
  deps: Deps;
  limits: Limits;
  /** Combined rate limit of all agents on a server, as a multiple of one user's limit; 0 for no limit. */
  agentCeiling: number;
  quotas: Quotas;
  /** The file store. */
  files: Files;
  /** The free space on the disks of the database and of the files. */
  disks: Disks;
  /** Tasks that a stopping node waits for. */
  background: Background;
  /** The exports in progress. */
  exports: Running<'exports'>;
  limiter: Limiter;
  authenticator: Authenticator;
  keyUse: LastUse<ApiKey>;
  grantUse: LastUse<Grant>;
  keyCounts: KeyCounts;
  sessionUse: LastUse<Session>;
  /** The queue of failed sign-ins for accounts' histories. */
  failedAttempts: FailedAttempts;
  cursors: Cursors;
  seal: Seal;
  /** The key for passkey challenges, the cookies of known browsers, and the room names of calls. */
  peopleKey: string;
  /** The people who need two-factor authentication or a passkey. */
  secondFactor: SecondFactorRule;
  /** The URL template for calls, with `{room}` and `{name}`. If empty, calls are turned off. */
  callUrl: string;
  /** Maximum size of the files in an export, in megabytes. */
  exportMegabytes: number;
  /** Maximum size of the archive of an import, in megabytes. */
  importMegabytes: number;
  flowBounds: FlowBounds;
  /** The queue of outgoing mail; undefined if mail is not configured. */
  mail: Outbox | undefined;
  /** The sign-in providers. */
  providers: Providers;
  /** Returns the current metrics of this node. */
  figures(): Figures;
  /** Settings that can change at runtime. */
  settings: PlatformSettings;
  /** Age in ms at which a key's value expires; Infinity for never. */
  maxKeyAgeMs: number;
  /** The hosts to which webhooks may be sent. */
  allowedHosts: AllowedHosts;
  /** The hosts of push services. */
  pushHosts: AllowedHosts;
  clientDocuments: ClientDocuments;
  /** Loads this installation's key for push services, or creates it. */
  pushKey(): Promise<{ publicKey: string }>;
  feed: Feed;
  events: EventTable;
  /** Performs the write operation with this name within a transaction, as a step of a flow does. Returns its data. */
  performWithin(work: Work, caller: Caller, name: string, input: RawInput): Promise<object>;
  consequences: Consequences;
  /**
   * Returns the profiles, by id, of the given users who are members of the principal's server, or of all
   * given users if `isPlatform` is set.
   */
  usersBeside(
    db: Reader,
    principal: Principal,
    userIds: readonly string[],
    isPlatform?: boolean,
  ): Promise<Readonly<Record<string, object>>>;
}

/**
 * A node's health metrics, from `/metrics`. All but the last three are counted from the start of the process.
 */
export interface Figures {
  /** Completed requests. Streams are excluded, because they end when their clients disconnect. */
  requests: number;
  /** Total duration of these requests. */
  requestMs: number;
  /** How many of these requests were rate limited, and how many failed because of the server. */
  limitedRequests: number;
  failedRequests: number;
  /** Writes in committed transactions. */
  writes: number;
  cpuMs: number;
  memoryBytes: number;
  streams: number;
  /** Null if the node has no Valkey. */
  isValkeyUp: boolean | null;
}
