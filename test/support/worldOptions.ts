import type { FastifyBaseLogger } from 'fastify';
import type { RuntimeSettings, SignUp } from '../../server/src/limits/runtime.ts';
import type { Bounds, DataConfig, NodeOptions } from './sources.ts';

/** A clock for tests. It starts at a round time and does not advance on its own. */
export class TestClock {
  at = 1_800_000_000_000;
  now = (): number => this.at;
  advance(ms: number): void {
    this.at += ms;
  }
}

export interface WorldOptions {
  /** As PALAVER_LIMITS; no limits by default. */
  limits?: Record<string, number>;
  /** As PALAVER_AGENT_CEILING. */
  agentCeiling?: number;
  /** As PALAVER_QUOTAS. By default, the quotas in the table, with any number of webhooks. */
  quotas?: Record<string, number>;
  /** The clock of the server. The real one by default. */
  clock?: TestClock;
  /** The server's logger; none by default. */
  logger?: FastifyBaseLogger;
  /** Existing data to open. `close` keeps it. */
  place?: DataConfig;
  /** As PALAVER_FILE_MEGABYTES. */
  fileMegabytes?: number;
  /** Settings of the data in addition to its location. */
  settings?: Partial<DataConfig>;
  /**
   * As PALAVER_MIN_FREE_MEGABYTES, and the free space of each disk, which is checked only if the setting is given.
   */
  disk?: Pick<NodeOptions, 'minFreeMegabytes' | 'measureDisk'>;
  /** As PALAVER_MAX_KEY_DAYS. */
  maxKeyDays?: number;
  /** As PALAVER_PRIVATE_WEBHOOKS. */
  privateWebhooks?: boolean;
  /** As PALAVER_CALL_URL. By default, there are no calls. */
  callUrl?: string;
  /** As PALAVER_WEBHOOK_HOSTS. */
  webhookHosts?: readonly string[];
  /** As PALAVER_SECOND_FACTOR. */
  secondFactor?: NodeOptions['secondFactor'];
  /** Settings for sending webhooks; by default none are sent. */
  webhooks?: NodeOptions['webhooks'];
  /** Whether it runs due timers. Not by default. */
  timers?: boolean;
  /** The hosts of push services; by default no pushes are sent. */
  push?: NodeOptions['push'];
  /** By default those of `palaver start`. */
  flowBounds?: NodeOptions['flowBounds'];
  /** As PALAVER_CLIENT_DOCUMENTS_PRIVATE, and other settings for loading metadata documents of apps. */
  clientDocuments?: NodeOptions['clientDocuments'];
  /** Operations in addition to those of the resources. */
  further?: NodeOptions['further'];
  /** Methods and tools of the MCP endpoint in addition to its own. */
  mcp?: NodeOptions['mcp'];
  /** Limits on what clients can hold that differ from the defaults. */
  bounds?: Partial<Bounds>;
  /** As PALAVER_HOSTS. */
  hosts?: readonly string[];
  /** As PALAVER_PROXIES. */
  proxies?: number;
  /** A separate port for the metrics; by default, the main port serves them. */
  metrics?: NodeOptions['metrics'];
  /** As PALAVER_ADDRESS and PALAVER_SIGN_UP. */
  address?: string;
  signUp?: SignUp;
  /** Other settings that platform admins can change at runtime. */
  runtime?: Partial<RuntimeSettings>;
  /** The email settings. By default, no emails are sent. */
  mail?: NodeOptions['mail'];
  /** As PALAVER_PROVIDERS. */
  providers?: NodeOptions['providers'];
  /** The port on which it listens. By default, any free port. */
  port?: number;
}
