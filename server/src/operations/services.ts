import type { Authenticator } from '../access/authenticator.ts';
import type { ApiKey } from '../access/credentials/apiKey.ts';
import type { Session } from '../access/credentials/session.ts';
import type { KeyCounts } from '../access/keyCounts.ts';
import type { LastUse } from '../access/lastUse.ts';
import type { Principal } from '../access/principal.ts';
import type { Providers } from '../accounts/openid/providers.ts';
import type { Db, Reader } from '../db/contract.ts';
import type { EventTable } from '../feed/eventKind.ts';
import type { Feed } from '../feed/feed.ts';
import type { Files } from '../files/files.ts';
import type { Deps } from '../lib/deps.ts';
import type { Seal } from '../lib/seal.ts';
import type { PlatformSettings } from '../limits/platformSettings.ts';
import type { Quotas } from '../limits/quotas.ts';
import type { Running } from '../limits/running.ts';
import type { Limiter } from '../limits/slidingWindow.ts';
import type { Limits } from '../limits/table.ts';
import type { Outbox } from '../mail/outbox.ts';
import type { Cursors } from './cursor.ts';
import type { Consequences } from './work.ts';

/** The dependencies of operations. */
export interface Services {
  db: Db;
  deps: Deps;
  limits: Limits;
  /** The limit of all agents of a server together, as a multiple of one user's; 0 for none. */
  agentCeiling: number;
  quotas: Quotas;
  /** The place of all files. */
  files: Files;
  /** The copies of their data that people are getting. */
  exports: Running<'exports'>;
  limiter: Limiter;
  authenticator: Authenticator;
  keyUse: LastUse<ApiKey>;
  keyCounts: KeyCounts;
  sessionUse: LastUse<Session>;
  cursors: Cursors;
  seal: Seal;
  /** Signs the challenges of passkeys. */
  peopleKey: string;
  /** The queue of mails; undefined where none are sent. */
  mail: Outbox | undefined;
  /** The providers with which people sign in. */
  providers: Providers;
  /** The figures of this node, as they are now. */
  figures(): Figures;
  /** The settings that may change at runtime. */
  settings: PlatformSettings;
  /** Milliseconds after which the value of a key is refused as expired; Infinity for never. */
  maxKeyAgeMs: number;
  /** True if webhooks may send to private, loopback and link-local addresses. */
  privateWebhooks: boolean;
  feed: Feed;
  events: EventTable;
  consequences: Consequences;
  /** Of these users, the profiles of those who share the principal's server, by their ids. */
  usersBeside(
    db: Reader,
    principal: Principal,
    userIds: readonly string[],
  ): Promise<Readonly<Record<string, object>>>;
}

/** Figures of this node, those of `/metrics` that tell how it is. All but the last three only grow, from the start of its process on. */
export interface Figures {
  /** Requests that were answered. Streams are none: they end when their clients leave. */
  requests: number;
  /** The time that these took, in total. */
  requestMs: number;
  /** Those of them that a rate limit refused, and those that failed in the server. */
  limitedRequests: number;
  failedRequests: number;
  /** Writes in committed transactions. */
  writes: number;
  cpuMs: number;
  memoryBytes: number;
  streams: number;
  /** Null for a node without Valkey. */
  isValkeyUp: boolean | null;
}
