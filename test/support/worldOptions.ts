import type { FastifyBaseLogger } from 'fastify';
import type { RuntimeSettings, SignUp } from '../../server/src/limits/runtime.ts';
import {
  type Bounds,
  type DataConfig,
  defaultBounds,
  limitsFrom,
  type NodeOptions,
  quotasFrom,
} from './sources.ts';

/** A clock for tests. It starts at a round time and does not advance on its own. */
export class TestClock {
  at = 1_800_000_000_000;
  now = (): number => this.at;
  advance(ms: number): void {
    this.at += ms;
  }
}

export interface WorldOptions {
  /** The setting PALAVER_LIMITS; no limits by default. */
  limits?: Record<string, number>;
  /** The setting PALAVER_AGENT_CEILING. */
  agentCeiling?: number;
  /** The setting PALAVER_QUOTAS. By default, the standard quotas, but without a limit on webhooks. */
  quotas?: Record<string, number>;
  /** The server's clock. By default, the real one. */
  clock?: TestClock;
  /** The server's logger; none by default. */
  logger?: FastifyBaseLogger;
  /** Existing data to open. `close` keeps it. */
  place?: DataConfig;
  /** The setting PALAVER_FILE_MEGABYTES. */
  fileMegabytes?: number;
  /** Further settings of the data, besides its location. */
  settings?: Partial<DataConfig>;
  /**
   * The setting PALAVER_MIN_FREE_MEGABYTES, and the free space of each disk, which is checked only if it is given.
   */
  disk?: Pick<NodeOptions, 'minFreeMegabytes' | 'measureDisk'>;
  /** The setting PALAVER_MAX_KEY_DAYS. */
  maxKeyDays?: number;
  /** The setting PALAVER_PRIVATE_WEBHOOKS. */
  privateWebhooks?: boolean;
  /** The setting PALAVER_CALL_URL. By default, there are no calls. */
  callUrl?: string;
  /** The setting PALAVER_WEBHOOK_HOSTS. */
  webhookHosts?: readonly string[];
  /** The setting PALAVER_SECOND_FACTOR. */
  secondFactor?: NodeOptions['secondFactor'];
  /** Settings for sending webhooks; by default none are sent. */
  webhooks?: NodeOptions['webhooks'];
  /** Whether due timers run. By default, they do not. */
  timers?: boolean;
  /** The hosts of push services. By default, no pushes are sent. */
  push?: NodeOptions['push'];
  /** The limits on flows. By default, those of `palaver start`. */
  flowBounds?: NodeOptions['flowBounds'];
  /** The setting PALAVER_CLIENT_DOCUMENTS_PRIVATE, and other settings for loading apps' metadata documents. */
  clientDocuments?: NodeOptions['clientDocuments'];
  /** Operations in addition to those of the resources. */
  further?: NodeOptions['further'];
  /** Methods and tools of the MCP endpoint in addition to the built-in ones. */
  mcp?: NodeOptions['mcp'];
  /** Limits on what clients can hold, where they differ from the defaults. */
  bounds?: Partial<Bounds>;
  /** The setting PALAVER_HOSTS. */
  hosts?: readonly string[];
  /** The setting PALAVER_PROXIES. */
  proxies?: number;
  /** A separate port for the metrics; by default, the main port serves them. */
  metrics?: NodeOptions['metrics'];
  /** The settings PALAVER_ADDRESS and PALAVER_SIGN_UP. */
  address?: string;
  signUp?: SignUp;
  /** Other settings that platform admins can change at runtime. */
  runtime?: Partial<RuntimeSettings>;
  /** The email settings. By default, no emails are sent. */
  mail?: NodeOptions['mail'];
  /** The setting PALAVER_PROVIDERS. */
  providers?: NodeOptions['providers'];
  /** The port to listen on. By default, any free port. */
  port?: number;
}

/** The options of a world's node, apart from its data and clock. */
export function nodeOptionsOf({
  place: _place,
  settings: _settings,
  clock: _clock,
  limits = { '*': 0 },
  quotas = { webhooks: 0 },
  disk,
  callUrl,
  secondFactor,
  timers = false,
  bounds,
  proxies = 0,
  metrics = 'open',
  signUp,
  fileMegabytes,
  runtime = {},
  port = 0,
  ...unchanged
}: WorldOptions): Omit<NodeOptions, 'data' | 'deps'> {
  return {
    ...unchanged,
    limits: limitsFrom(limits),
    quotas: quotasFrom(quotas),
    ...disk,
    ...(callUrl !== undefined && { callUrl }),
    ...(secondFactor && { secondFactor }),
    listen: { port },
    timers,
    bounds: { ...defaultBounds, ...bounds },
    proxies,
    metrics,
    ownSettings: {
      ...(signUp && { signUp: { value: signUp, source: 'environment' } }),
      ...(fileMegabytes && { fileMegabytes: { value: fileMegabytes, source: 'environment' } }),
      ...Object.fromEntries(
        Object.entries(runtime).map(([name, value]) => [name, { value, source: 'environment' }]),
      ),
    },
  };
}
