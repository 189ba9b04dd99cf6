import { sql } from 'kysely';

/**
 * The channels of a server and the direct messages of a member, as a query for their `id`. Not all channels,
 * because a server may have many direct messages between other members.
 */
export const memberChannels = ({ serverId, userId }: { serverId: string; userId: string }) =>
  sql<string>`(select id from channel where "serverId" = ${serverId} and kind = 'channel'
    union all select "channelId" as id from "channelMember" where "userId" = ${userId} and "serverId" = ${serverId})`;
