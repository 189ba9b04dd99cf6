import type { TableName } from '../tables.ts';

/** The key of every table, and an order of the tables in which no row needs one that comes later. */
export const keys = {
  setting: ['name'],
  user: ['id'],
  server: ['id'],
  role: ['id'],
  channel: ['id'],
  // The search index of members holds the names of their users.
  serverMember: ['id'],
  userRole: ['id'],
  invite: ['id'],
  app: ['id'],
  appInstall: ['id'],
  secret: ['id'],
  keyUse: ['id'],
  flow: ['id'],
  indicator: ['id'],
  thread: ['id'],
  threadFollower: ['threadId', 'userId'],
  // On SQLite the order in which messages are added is that in which a search shows them.
  message: ['id'],
  reaction: ['id'],
  pin: ['id'],
  notification: ['id'],
  event: ['logId', 'seq'],
  webhook: ['id'],
  webhookState: ['id'],
  webhookDelivery: ['id'],
  idempotency: ['scope'],
  sweep: ['channelId'],
} as const satisfies Record<TableName, readonly string[]>;

/** The tables in the order in which they are copied. */
export const tableNames = Object.keys(keys) as TableName[];

/** Columns that each engine keeps by itself. */
export const ownColumns: ReadonlySet<string> = new Set(['ord', 'record', 'words']);

/** SQL for the rows of a table that are copied, where not all are: some settings are about the place that the data are in. */
export const conditions: Partial<Record<TableName, string>> = {
  setting: `name not in ('secretKey', 'probe', 'epoch', 'place')`,
};

const quote = (name: string): string => `"${name}"`;

/** The table's name and columns as both engines take them. */
export const named = (names: readonly string[]): string => names.map(quote).join(', ');
