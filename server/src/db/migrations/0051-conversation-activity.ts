import type { ColumnTypes } from '../migrate.ts';

/** Orders a person's direct messages by their latest message instead of by creation. */
export default (t: ColumnTypes): string[] => [
  `alter table "channelMember" add column "latestId" ${t.idOrNull}`,
  `update "channelMember" set "latestId" = coalesce(
    (select message.id from message where message."channelId" = "channelMember"."channelId"
      order by message."channelId" desc, message.id desc limit 1), "channelId")`,
  'drop index "channelMember_user"',
  'create index "channelMember_user" on "channelMember" ("userId", "serverId", "latestId", "channelId")',
];

/** Earlier versions would leave the column empty in new direct messages. */
export const isBackwardCompatible = false;
