import type { ColumnType, Generated, Insertable, Selectable } from 'kysely';
import type { Flags } from '../lib/flags.ts';

/** The rows of the database, one interface a table. Times are milliseconds; JSON columns hold parsed values. */
interface Row {
  id: string;
  createdAt: number;
  updatedAt: number;
}

/** `ord` is the row's own number: SQLite's rowid, and the row's number in a full-text index. */
interface Numbered {
  ord: Generated<number>;
}

interface UserTable extends Row {
  username: string;
  name: string;
  image: string | null;
  type: 'person' | 'agent';
  platformAdmin: boolean;
}

interface ServerTable extends Row, Numbered {
  name: string;
  welcome: string | null;
  description: string | null;
  icon: string | null;
  banner: string | null;
  domain: string | null;
  private: boolean;
  tint: number | null;
  creatorId: string;
  memberCount: number;
}

interface ChannelTable extends Row {
  serverId: string;
  name: string;
  /** The name as it is compared: case folded. */
  nameKey: string;
  description: string | null;
  private: boolean;
  readonly: boolean;
  position: number;
  creatorId: string;
  roleIds: readonly string[];
}

interface MessageTable extends Row, Numbered {
  serverId: string;
  type: 'person' | 'agent' | 'system';
  channelId: string;
  isThreadReply: boolean;
  creatorId: string;
  content: string;
  /** Always false: a deleted message is gone. The record of the specification, 2.2, has the field. */
  deleted: boolean;
  editedAt: number | null;
  threadId: string | null;
  replyToId: string | null;
  pinned: boolean;
  reactions: readonly { emoji: string; count: number }[];
  /** What a read shows of the message, as JSON. The engine makes it of the other columns. */
  record: ColumnType<string, never, never>;
}

interface ThreadTable extends Row {
  serverId: string;
  channelId: string;
  messageId: string | null;
  name: string | null;
  creatorId: string;
  locked: boolean;
  replyCount: number;
  lastReplyAt: number | null;
}

/** Who is told of new replies in a thread. */
interface ThreadFollowerTable {
  threadId: string;
  userId: string;
}

interface PinTable extends Row {
  serverId: string;
  channelId: string;
  messageId: string;
  creatorId: string;
}

interface RoleTable extends Row, Flags {
  serverId: string;
  name: string;
  color: string | null;
  isDefault: boolean;
  /** The role that the server's creator got with the server: it cannot be deleted. */
  isCreatorRole: boolean;
}

interface UserRoleTable extends Row {
  serverId: string;
  userId: string;
  roleId: string;
}

interface ServerMemberTable extends Row, Numbered {
  serverId: string;
  userId: string;
  nickname: string | null;
}

interface InviteTable extends Row {
  serverId: string;
  creatorId: string;
  maxUses: number | null;
  uses: number;
  expiresAt: number | null;
}

interface AppTable extends Row {
  serverId: string;
  threadId: string | null;
  type: string | null;
  meta: unknown;
  installCount: number | null;
  description: string | null;
  name: string | null;
  version: string | null;
  image: string | null;
  category: string | null;
  publisherName: string | null;
  npmPackage: string | null;
  verified: boolean | null;
  /** When it entered the registry; null while it is its server's own. */
  submittedAt: number | null;
}

interface AppInstallTable extends Row {
  serverId: string;
  appId: string;
  creatorId: string;
  config: unknown;
}

interface SecretTable extends Row {
  serverId: string;
  kind: 'apiKey' | 'appSecret';
  name: string;
  roleId: string | null;
  userId: string | null;
  appId: string | null;
  preview: string;
  expiresAt: number | null;
  creatorId: string | null;
  /** SHA-256 of an API key, hexadecimal. */
  digest: string | null;
  /** The encrypted value of an app's secret. */
  sealed: string | null;
}

/** When a key was last used. Apart from `secret`, so that noting it ends no remembered principal. */
interface KeyUseTable {
  id: string;
  lastUsedAt: number;
}

interface IndicatorTable extends Row {
  type: string;
  userId: string;
  serverId: string;
  channelId: string | null;
  threadId: string | null;
  lastActiveAt: number;
}

interface FlowTable extends Row {
  serverId: string;
  name: string;
  description: string | null;
  enabled: boolean;
  trigger: unknown;
  steps: unknown;
  creatorId: string;
}

interface NotificationTable extends Row {
  userId: string;
  serverId: string;
  type: 'mention' | 'reply' | 'thread';
  actorId: string;
  channelId: string;
  messageId: string;
  readAt: number | null;
}

interface ReactionTable extends Row {
  serverId: string;
  channelId: string;
  messageId: string;
  userId: string;
  emoji: string;
}

/** The event logs of servers and users: each numbered without gaps in the order of the commits. */
interface EventTable extends Numbered {
  /** The id of the server, or of the user, that the log belongs to. */
  logId: string;
  seq: number;
  type: string;
  actorId: string | null;
  /** The channel whose viewers alone are shown it. */
  channelId: string | null;
  /** The user who alone is shown it. */
  userId: string | null;
  /** Who may have lost sight of a channel by it, as JSON; null where nobody can have. */
  lostBy: string | null;
  at: number;
  data: string;
  /** Which history of the data the event belongs to: 12 hexadecimal digits. */
  epoch: Generated<string>;
}

/** Where events are sent to (`out`), or what lets others post messages into a channel (`in`). */
interface WebhookTable extends Row {
  serverId: string;
  direction: 'in' | 'out';
  name: string;
  /** Where events are sent; null for `in`. */
  url: string | null;
  /** Types of the events that are sent; null for all. */
  types: readonly string[] | null;
  /** Whose events alone are sent; or where messages are posted. */
  channelId: string | null;
  enabled: boolean;
  disabledReason: string | null;
  /** What it may see or do is what this role may. */
  roleId: string;
  /** The agent whose messages those of `in` are; null for `out`. */
  userId: string | null;
  creatorId: string;
  /** The encrypted secret that signs what is sent. */
  sealed: string | null;
  /** Those before, encrypted, which sign too until then. */
  earlier: readonly { sealed: string; until: number }[];
  /** SHA-256 of the token of `in`, hexadecimal. */
  digest: string | null;
}

/** How far a webhook has come. Apart from `webhook`, so that moving on ends no remembered principal. */
interface WebhookStateTable {
  id: string;
  serverId: string;
  /** The id of the last event that was dealt with. */
  cursor: string;
  /** Its number, so that a query finds those that something waits for. */
  seq: number;
  /** Attempts at the next event that have failed. */
  attempt: number;
  /** When it is tried again; null if nothing has failed. */
  nextAt: number | null;
  /** The process that delivers it, and until when no other does. */
  owner: string | null;
  ownedUntil: number;
}

/** An attempt to deliver an event. */
interface WebhookDeliveryTable extends Row {
  webhookId: string;
  eventId: string;
  type: string;
  attempt: number;
  /** Of the answer; null where there was none. */
  status: number | null;
  error: string | null;
  ms: number;
  nextAt: number | null;
}

/** Answers kept for requests that carried an Idempotency-Key. */
interface IdempotencyTable {
  scope: string;
  requestDigest: string;
  answer: string;
  createdAt: number;
}

/** Channels that were deleted and whose contents have yet to be swept away. */
interface SweepTable {
  channelId: string;
}

interface SettingTable {
  name: string;
  value: string;
}

export interface Tables {
  user: UserTable;
  server: ServerTable;
  channel: ChannelTable;
  message: MessageTable;
  thread: ThreadTable;
  threadFollower: ThreadFollowerTable;
  pin: PinTable;
  role: RoleTable;
  userRole: UserRoleTable;
  serverMember: ServerMemberTable;
  invite: InviteTable;
  app: AppTable;
  appInstall: AppInstallTable;
  secret: SecretTable;
  keyUse: KeyUseTable;
  indicator: IndicatorTable;
  flow: FlowTable;
  notification: NotificationTable;
  reaction: ReactionTable;
  event: EventTable;
  webhook: WebhookTable;
  webhookState: WebhookStateTable;
  webhookDelivery: WebhookDeliveryTable;
  idempotency: IdempotencyTable;
  sweep: SweepTable;
  setting: SettingTable;
}

export type TableName = keyof Tables;
/** A row as it is read. */
export type RowOf<T extends TableName> = Selectable<Tables[T]>;
/** A row as it is written. */
export type NewRow<T extends TableName> = Insertable<Tables[T]>;

/** The columns that hold JSON, in whichever table. */
export const jsonColumns: ReadonlySet<string> = new Set([
  'config',
  'earlier',
  'meta',
  'reactions',
  'roleIds',
  'steps',
  'trigger',
  'types',
]);

/**
 * The tables that decide who a key is and what it may do. A change to one of them, in this process or in
 * another, ends whatever was remembered of principals.
 */
export const authorityTables: ReadonlySet<string> = new Set<TableName>([
  'user',
  'server',
  'serverMember',
  'role',
  'userRole',
  'secret',
  'webhook',
]);
