import type { ColumnTypes } from '../migrate.ts';

/** Adds indexes to count a server's rows for its quotas, and to find requested deliveries. */
export default (t: ColumnTypes): string[] => [
  `alter table "serverMember" add column "isAgent" ${t.bool} default false`,
  `update "serverMember" set "isAgent" = true where "userId" in (select id from "user" where type = 'agent')`,
  'create index server_member_agent on "serverMember" ("serverId") where "isAgent" = true',
  `create index webhook_out on webhook ("serverId") where direction = 'out'`,
  'create index app_server on app ("serverId", id)',
  ...['nextAt', 'webhookId'].map(
    (column) =>
      `create index webhook_delivery_asked_${column.toLowerCase()} on "webhookDelivery" ("${column}")
        where attempt = 0 and "nextAt" is not null`,
  ),
];
