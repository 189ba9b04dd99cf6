import { sql } from 'kysely';

/**
 * Returns a query for the `id` of each channel of a server, and of each direct message of a member. Skips
 * direct messages between other members, because there may be many.
 */
export const memberChannels = ({ serverId, userId }: { serverId: string; userId: string }) =>
  sql<string>`(select id from channel where "serverId" = ${serverId} and kind = 'channel'
    union all select "channelId" as id from "channelMember" where "userId" = ${userId} and "serverId" = ${serverId})`;
