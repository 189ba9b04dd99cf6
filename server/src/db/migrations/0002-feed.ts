import type { ColumnTypes } from '../migrate.ts';

/** Adds the epoch of each event, and webhooks with their progress and deliveries. */
export default (t: ColumnTypes): string[] => {
  const row = `id ${t.id} primary key, "createdAt" ${t.time}, "updatedAt" ${t.time}`;
  return [
    `alter table event add column epoch ${t.text} default '000000000000'`,
    `insert into setting (name, value) values ('epoch', '000000000000')`,
    // The record in a deleted channel's last event determines who may see the channel's earlier events.
    `create index event_channel_deleted on event ("channelId") where type = 'channel.deleted'`,

    `create table webhook (${row}, "serverId" ${t.id} references server (id) on delete cascade, direction ${t.text},
      name ${t.text}, url text, types ${t.json}, "channelId" ${t.idOrNull}, enabled ${t.bool}, "disabledReason" text,
      "roleId" ${t.id} references role (id) on delete cascade, "userId" ${t.idOrNull}, "creatorId" ${t.id},
      sealed text, earlier ${t.json} not null, digest text unique)`,
    'create index webhook_server on webhook ("serverId", id)',
    'create index webhook_role on webhook ("roleId")',
    'create index webhook_user on webhook ("userId", "serverId")',
    'create index webhook_channel on webhook ("channelId")',

    `create table "webhookState" (id ${t.id} primary key references webhook (id) on delete cascade, "serverId" ${t.id},
      cursor ${t.text}, seq integer not null, attempt integer not null, "nextAt" ${t.timeOrNull}, owner text,
      "ownedUntil" ${t.time})`,
    'create index webhook_state_server on "webhookState" ("serverId")',
    'create index webhook_state_due on "webhookState" ("nextAt") where "nextAt" is not null',
    'create index webhook_state_owner on "webhookState" (owner, "ownedUntil") where owner is not null',

    `create table "webhookDelivery" (${row}, "webhookId" ${t.id} references webhook (id) on delete cascade,
      "eventId" ${t.text}, type ${t.text}, attempt integer not null, status integer, error text, ms integer not null,
      "nextAt" ${t.timeOrNull})`,
    'create index webhook_delivery_list on "webhookDelivery" ("webhookId", id)',
    'create index webhook_delivery_age on "webhookDelivery" ("createdAt")',
  ];
};
