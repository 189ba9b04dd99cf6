import type { ColumnTypes } from '../migrate.ts';

/**
 * A log belongs to a server or to a user, and each event says whom it concerns, so that nobody has to look into its data. The
 * notifications that are there were told to one user each.
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
