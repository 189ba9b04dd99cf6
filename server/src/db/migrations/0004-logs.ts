import type { ColumnTypes } from '../migrate.ts';

/**
 * Makes each log belong to a server or a user, and adds columns for an event's audience, so readers don't
 * have to parse its data. Existing notification events get their single recipient.
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
