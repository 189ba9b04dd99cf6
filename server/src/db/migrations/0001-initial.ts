import type { ColumnTypes, RecordColumns } from '../migrate.ts';
import { searchSchema } from '../searchSchema.ts';

/** The fields of a message's record, in order. */
const messageColumns: RecordColumns = {
  id: 'id',
  serverId: 'id',
  type: 'text',
  channelId: 'id',
  isThreadReply: 'bool',
  creatorId: 'id',
  content: 'text',
  deleted: 'bool',
  editedAt: 'time',
  threadId: 'id',
  replyToId: 'id',
  pinned: 'bool',
  reactions: 'json',
  createdAt: 'time',
  updatedAt: 'time',
};

/** The tables of the specification's resources, the event log, idempotency records and settings. */
export default (t: ColumnTypes): string[] => {
  const row = `id ${t.id} primary key, "createdAt" ${t.time}, "updatedAt" ${t.time}`;
  const serverId = `"serverId" ${t.id} references server (id) on delete cascade`;
  return [
    `create table "user" (${row}, username ${t.text} unique, name ${t.text}, image text, type ${t.text},
      "platformAdmin" ${t.bool})`,

    `create table server (${t.numbered(row)}, name ${t.text}, welcome text, description text, icon text,
      banner text, domain text, private ${t.bool}, tint integer, "creatorId" ${t.id}, "memberCount" integer not null)`,
    'create index server_joinable on server (private, id)',

    `create table channel (${row}, ${serverId}, name ${t.text}, "nameKey" ${t.text}, description text, private ${t.bool},
      readonly ${t.bool}, position integer not null, "creatorId" ${t.id}, "roleIds" ${t.json} not null,
      unique ("serverId", "nameKey"))`,
    'create index channel_list on channel ("serverId", position, id)',

    ...t.recordFunction(messageColumns),
    // Messages are read far more often than written, so each row stores its record as JSON. No foreign
    // keys: messages and their dependents are swept after their channel is deleted.
    `create table message (${t.numbered(row)}, "serverId" ${t.id}, type ${t.text}, "channelId" ${t.id},
      "isThreadReply" ${t.bool}, "creatorId" ${t.id}, content ${t.text}, deleted ${t.bool}, "editedAt" ${t.timeOrNull},
      "threadId" ${t.idOrNull}, "replyToId" ${t.idOrNull}, pinned ${t.bool}, reactions ${t.json} not null,
      ${t.record(messageColumns)})`,
    'create index message_channel on message ("channelId", id)',
    'create index message_creator on message ("channelId", "creatorId", id)',
    'create index message_thread on message ("threadId", id) where "threadId" is not null',

    `create table thread (${row}, "serverId" ${t.id}, "channelId" ${t.id}, "messageId" ${t.idOrNull}, name text,
      "creatorId" ${t.id}, locked ${t.bool}, "replyCount" integer not null, "lastReplyAt" ${t.timeOrNull})`,
    'create index thread_message on thread ("messageId", id) where "messageId" is not null',
    'create index thread_channel on thread ("channelId")',
    `create table "threadFollower" ("threadId" ${t.id}, "userId" ${t.id}, primary key ("threadId", "userId"))`,

    `create table pin (${row}, "serverId" ${t.id}, "channelId" ${t.id}, "messageId" ${t.id} unique, "creatorId" ${t.id})`,
    'create index pin_channel on pin ("channelId", id)',

    `create table role (${row}, ${serverId}, name ${t.text}, color text, "isDefault" ${t.bool}, "isCreatorRole" ${t.bool},
      "canAdmin" ${t.bool}, "canEditChannel" ${t.bool}, "canEditServer" ${t.bool}, "canEditData" ${t.bool},
      "canModerate" ${t.bool}, "canEditApp" ${t.bool}, "canViewData" ${t.bool})`,
    'create index role_server on role ("serverId", id)',

    `create table "userRole" (${row}, ${serverId}, "userId" ${t.id},
      "roleId" ${t.id} references role (id) on delete cascade, unique ("userId", "roleId"))`,
    'create index user_role_server on "userRole" ("serverId", "userId")',
    'create index user_role_role on "userRole" ("roleId")',

    `create table "serverMember" (${t.numbered(row)}, ${serverId}, "userId" ${t.id}, nickname text,
      unique ("serverId", "userId"))`,
    'create index server_member_list on "serverMember" ("serverId", id)',
    'create index server_member_user on "serverMember" ("userId", id)',

    `create table invite (${row}, ${serverId}, "creatorId" ${t.id}, "maxUses" integer, uses integer not null, "expiresAt" ${t.timeOrNull})`,
    'create index invite_server on invite ("serverId", id)',

    `create table app (${row}, ${serverId}, "threadId" ${t.idOrNull}, type text, meta ${t.json}, "installCount" integer,
      description text, name text, version text, image text, category text, "publisherName" text,
      "npmPackage" text, verified ${t.boolOrNull}, "submittedAt" ${t.timeOrNull})`,

    `create table "appInstall" (${row}, ${serverId}, "appId" ${t.id} references app (id) on delete cascade,
      "creatorId" ${t.id}, config ${t.json}, unique ("serverId", "appId"))`,
    'create index app_install_server on "appInstall" ("serverId", id)',
    'create index app_install_app on "appInstall" ("appId")',

    `create table secret (${row}, ${serverId}, kind ${t.text}, name ${t.text},
      "roleId" ${t.idOrNull} references role (id) on delete cascade, "userId" ${t.idOrNull},
      "appId" ${t.idOrNull} references app (id) on delete cascade, preview ${t.text}, "expiresAt" ${t.timeOrNull},
      "creatorId" ${t.idOrNull}, digest text unique, sealed text)`,
    'create index secret_server on secret ("serverId", id)',
    'create index secret_user on secret ("userId", "serverId")',
    'create index secret_role on secret ("roleId")',
    'create index secret_app on secret ("appId")',

    `create table "keyUse" (id ${t.id} primary key references secret (id) on delete cascade, "lastUsedAt" ${t.time})`,

    `create table indicator (${row}, type ${t.text}, "userId" ${t.id}, ${serverId}, "channelId" ${t.idOrNull},
      "threadId" ${t.idOrNull}, "lastActiveAt" ${t.time})`,
    'create index indicator_user on indicator ("userId", type)',
    'create index indicator_channel on indicator ("channelId")',
    'create index indicator_updated on indicator ("updatedAt")',

    `create table flow (${row}, ${serverId}, name ${t.text}, description text, enabled ${t.bool}, trigger ${t.json},
      steps ${t.json}, "creatorId" ${t.id})`,
    'create index flow_server on flow ("serverId", id)',

    `create table notification (${row}, "userId" ${t.id}, "serverId" ${t.id}, type ${t.text}, "actorId" ${t.id},
      "channelId" ${t.id}, "messageId" ${t.id}, "readAt" ${t.timeOrNull})`,
    'create index notification_list on notification ("userId", "serverId", id)',
    'create index notification_unread on notification ("userId", "serverId", id) where "readAt" is null',
    'create index notification_read on notification ("userId", "serverId", id) where "readAt" is not null',
    'create index notification_message on notification ("messageId")',
    'create index notification_channel on notification ("channelId")',

    `create table reaction (${row}, "serverId" ${t.id}, "channelId" ${t.id}, "messageId" ${t.id}, "userId" ${t.id},
      emoji ${t.text}, unique ("messageId", "userId", emoji))`,
    'create index reaction_channel on reaction ("channelId")',

    `create table event (${t.numbered('')}"serverId" ${t.id}, seq ${t.time}, type ${t.text}, "actorId" ${t.idOrNull},
      "channelId" ${t.idOrNull}, at ${t.time}, data ${t.text}, ${t.logKey('serverId', 'seq')})`,

    `create table idempotency (scope ${t.text} primary key, "requestDigest" ${t.text}, answer ${t.text},
      "createdAt" ${t.time})${t.clustered}`,
    'create index idempotency_age on idempotency ("createdAt")',

    `create table sweep ("channelId" ${t.id} primary key)`,
    `create table setting (name ${t.text} primary key, value ${t.text})`,

    // All nodes share this row. Its version increases with every change of permissions.
    ...(t.dialect === 'postgres'
      ? ['create table authority (version bigint not null)', 'insert into authority values (1)']
      : []),

    ...searchSchema(t.dialect),
  ];
};
