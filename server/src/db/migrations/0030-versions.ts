import type { ColumnTypes } from '../migrate.ts';

/**
 * Adds the versions of edited messages. Events refer to the content of messages instead of repeating it.
 * Older events still repeat it: `event_inline` finds them, and upkeep converts them (docs/decisions/0102).
 */
export default (t: ColumnTypes): string[] => [
  `create table "messageVersion" (id ${t.id} primary key, "messageId" ${t.id}, at ${t.time}, "userId" ${t.idOrNull},
    content text, unique ("messageId", at))`,
  `alter table event add column "contentOf" ${t.idOrNull}`,
  `alter table event add column version ${t.timeOrNull}`,
  `create index event_inline on event ("logId", seq) where "contentOf" is null and type in ('message.created', 'message.updated', 'message.deleted',
    'attachment.created', 'attachment.updated', 'attachment.deleted', 'thread.created', 'thread.updated', 'thread.deleted')`,
  `alter table server add column "editHistory" ${t.text} default 'moderators'`,
  `alter table thread add column "isNamedByMessage" ${t.bool} default false`,
  `update thread set "isNamedByMessage" = true where name is not null and exists (select 1 from message
    where message.id = thread."messageId" and replace(content, substr(thread.name, 1, 12), '') <> content)`,
];
