import type { ColumnTypes } from '../migrate.ts';

/**
 * A log belongs to a server or a user, and each event has columns for its audience, so that readers need not
 * parse its data. Existing events of notifications get their one recipient.
 */
export default (t: ColumnTypes): string[] => {
  const ofData =
    t.dialect === 'postgres' ? `(data::jsonb ->> 'userId')::uuid` : `json_extract(data, '$.userId')`;
  return [
    'alter table event rename column "serverId" to "logId"',
    `alter table event add column "userId" ${t.idOrNull}`,
    'alter table event add column "lostBy" text',
    `update event set "userId" = ${ofData} where type like 'notification.%'`,
  ];
};
