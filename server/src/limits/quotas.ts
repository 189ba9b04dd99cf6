import type { Resource } from '../access/rules.ts';
import type { TableName } from '../db/schema.ts';
import { changed } from './changes.ts';

/** A limit on the number of a server's rows. */
export interface RowQuota {
  /** The noun whose inserts are limited, unless an operation names its quotas itself (`makes`). */
  noun: Resource | 'agent';
  default: number;
  /** A description of the rows for the documentation and for errors. */
  words: string;
  /**
   * The table to count in, and the column values that select these rows; an index must cover them. An agent
   * is counted if it has a key or an incoming webhook.
   */
  table: TableName | 'keysAndHooks';
  where?: Readonly<Record<string, string | boolean>>;
}

/** A limit on the size of a free-form JSON field in bytes, serialized as UTF-8. */
interface FieldQuota {
  /** The noun whose writes contain the field. */
  noun: Resource;
  default: number;
  words: string;
  field: string;
}

/** A limit on the total size of a server's files, in megabytes. */
interface FileQuota {
  noun: Resource;
  default: number;
  words: string;
  ofFiles: true;
}

export type Quota = RowQuota | FieldQuota | FileQuota;

/**
 * The quotas per server. The defaults are far above the needs of a large server. They prevent one tenant from
 * filling the disk or a shared table. Operator commands other than imports may exceed them.
 */
export const quotaTable = {
  channels: {
    noun: 'channel',
    default: 2_000,
    words: 'channels',
    table: 'channel',
    where: { kind: 'channel' },
  },
  categories: { noun: 'category', default: 200, words: 'channel categories', table: 'category' },
  emoji: { noun: 'emoji', default: 500, words: 'custom emoji', table: 'emoji' },
  roles: { noun: 'role', default: 1_000, words: 'roles', table: 'role' },
  secrets: { noun: 'secret', default: 2_000, words: 'API keys and app secrets', table: 'secret' },
  agents: {
    noun: 'agent',
    default: 2_000,
    words: 'agents with keys or incoming webhooks',
    table: 'keysAndHooks',
  },
  apps: { noun: 'app', default: 1_000, words: 'own apps', table: 'app' },
  appInstalls: { noun: 'appInstall', default: 1_000, words: 'installed apps', table: 'appInstall' },
  invites: { noun: 'invite', default: 2_000, words: 'invites', table: 'invite' },
  invitations: {
    noun: 'invitation',
    default: 1_000,
    words: 'open and declined invitations to individual people',
    table: 'invitation',
  },
  reports: {
    noun: 'report',
    default: 1_000,
    words: 'open reports of messages',
    table: 'report',
    where: { state: 'open' },
  },
  wordRules: { noun: 'wordRule', default: 200, words: 'word rules', table: 'wordRule' },
  commands: { noun: 'command', default: 100, words: 'commands', table: 'command' },
  interactions: {
    noun: 'interaction',
    default: 2_000,
    words: 'interactions that agents have not answered',
    table: 'interaction',
    where: { state: 'pending' },
  },
  exports: { noun: 'export', default: 10, words: 'exports', table: 'export' },
  flows: { noun: 'flow', default: 1_000, words: 'flows', table: 'flow' },
  webhooks: {
    noun: 'webhook',
    default: 20,
    words: 'webhooks that send events',
    table: 'webhook',
    where: { direction: 'out' },
  },
  fileMegabytes: {
    noun: 'attachment',
    default: 10_000,
    words: 'megabytes of files',
    ofFiles: true,
  },
  metaBytes: { noun: 'app', default: 262_144, words: "bytes of an app's `meta`", field: 'meta' },
  configBytes: {
    noun: 'appInstall',
    default: 262_144,
    words: "bytes of an install's `config`",
    field: 'config',
  },
  triggerBytes: { noun: 'flow', default: 65_536, words: "bytes of a flow's `trigger`", field: 'trigger' },
  stepsBytes: { noun: 'flow', default: 262_144, words: "bytes of a flow's `steps`", field: 'steps' },
} as const satisfies Record<string, Quota>;

export type QuotaName = keyof typeof quotaTable;
export type Quotas = Readonly<Record<QuotaName, number>>;

export const quotaRows = Object.entries(quotaTable) as [QuotaName, Quota][];

const defaults = Object.fromEntries(quotaRows.map(([name, quota]) => [name, quota.default])) as Quotas;

/** Returns the quotas with an operator's overrides applied (see `changed`). */
export const quotasFrom = (changes: unknown): Quotas =>
  changed(defaults, changes, { row: 'quota', example: '{"webhooks": 50, "channels": 0}', most: 10_000_000 });
