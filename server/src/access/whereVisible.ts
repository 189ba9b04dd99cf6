import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import type { Tables } from '../db/schema.ts';
import type { Standing } from './principal.ts';

/** `canSeeChannel` as an SQL condition on rows of `channel` in the principal's server. Used by lists. */
export function whereChannelVisible(principal: Standing): Expression<SqlBool> {
  if (seesEveryChannel(principal)) return sql`1 = 1`;
  const listed = principal.roleIds.map((roleId) => isListed(patternOf(roleId)));
  return sql`(${sql.join([sql`channel.private = ${false}`, ...listed], sql` or `)})`;
}

const channels = expressionBuilder<Tables, never>();

const seesEveryChannel = ({ isServerCreator, flags }: Standing): boolean =>
  isServerCreator || flags.has('canAdmin');

const patternOf = (roleId: string): string => `%"${roleId}"%`;
const isListed = (pattern: string): Expression<SqlBool> =>
  sql`cast(channel."roleIds" as text) like ${pattern}`;

/** `isSeen` for the channel of a thread. */
export const isThreadSeen = (principal: Standing, threadId: string): Expression<SqlBool> =>
  channels.exists(
    channels
      .selectFrom('thread')
      .innerJoin('channel', 'channel.id', 'thread.channelId')
      .select('channel.id')
      .where('thread.id', '=', threadId)
      .where('channel.serverId', '=', principal.serverId)
      .where(whereChannelVisible(principal)),
  );

/** The parameters of `isSeen`. */
export interface Sight {
  channelId: string;
  serverId: string;
  seesEvery: boolean;
  /** A pattern that matches the `roleIds` of channels that list the principal's role. */
  role: string;
}

/**
 * The condition that a principal can see a channel, for prepared reads that start before the channel is
 * loaded. It does not depend on the query's rows, so the database evaluates it once and reads nothing if it
 * is false.
 */
export const isSeen = ({ channelId, serverId, seesEvery, role }: Sight): Expression<SqlBool> =>
  channels.exists(
    channels
      .selectFrom('channel')
      .select('channel.id')
      .where('channel.id', '=', channelId)
      .where('channel.serverId', '=', serverId)
      .where(
        sql<SqlBool>`(channel.private = ${sql.lit(false)} or cast(${seesEvery} as boolean) or ${isListed(role)})`,
      ),
  );

/**
 * The parameters of `isSeen`. Undefined if the principal acts in no server, or does not have exactly one
 * role, as keys do.
 */
export function sightOf(principal: Standing, channelId: string): Sight | undefined {
  const { serverId, roleIds } = principal;
  const [roleId] = roleIds;
  if (serverId === null || roleId === undefined || roleIds.length > 1) return undefined;
  return { channelId, serverId, seesEvery: seesEveryChannel(principal), role: patternOf(roleId) };
}
