import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import type { Tables } from '../db/schema.ts';
import { isInPerson } from './predicates.ts';
import type { Principal, Standing } from './principal.ts';

/** The condition that a row of `channel` is not a direct message. An index covers it. */
export const isListed = sql<SqlBool>`channel.kind = 'channel'`;

/**
 * Returns `canSeeChannel` as an SQL condition on rows of `channel` in the principal's server. Queries that
 * read many channels add `isListed`, which an index covers, and find direct messages through `channelMember`.
 */
export function whereChannelVisible(principal: Principal): Expression<SqlBool> {
  const terms: Expression<unknown>[] = seesEveryChannel(principal)
    ? [isListed]
    : [sql`channel.private = ${false}`, ...principal.roleIds.map((roleId) => hasRole(patternOf(roleId)))];
  if (isInPerson(principal)) terms.push(hasMember(patternOf(principal.userId)));
  return sql`(${sql.join(terms, sql` or `)})`;
}

const channels = expressionBuilder<Tables, never>();

const seesEveryChannel = ({ isServerCreator, flags }: Standing): boolean =>
  isServerCreator || flags.has('canAdmin');

/** A pattern that matches no list of ids. */
const NOBODY = '';

const patternOf = (roleId: string): string => `%"${roleId}"%`;
const hasRole = (pattern: string): Expression<SqlBool> =>
  sql`cast(channel."roleIds" as text) like ${pattern}`;
/** The expression is null, and therefore false, for a channel that is not a direct message. */
const hasMember = (pattern: string): Expression<SqlBool> =>
  sql`cast(channel."memberIds" as text) like ${pattern}`;

/** Returns the condition that a principal can see a thread's channel. */
export const isThreadSeen = (principal: Principal, threadId: string): Expression<SqlBool> =>
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
  /** A pattern that matches the `memberIds` of the principal's direct messages. */
  member: string;
}

/**
 * Returns the condition that a principal can see a channel, for prepared reads that start before the channel
 * is loaded. It does not depend on the query's rows, so the database evaluates it once and reads nothing if
 * it is false.
 */
export const isSeen = ({ channelId, serverId, seesEvery, role, member }: Sight): Expression<SqlBool> =>
  channels.exists(
    channels
      .selectFrom('channel')
      .select('channel.id')
      .where('channel.id', '=', channelId)
      .where('channel.serverId', '=', serverId)
      .where(
        sql<SqlBool>`(channel.private = ${sql.lit(false)} or (cast(${seesEvery} as boolean) and ${isListed})
          or ${hasRole(role)} or ${hasMember(member)})`,
      ),
  );

/**
 * Returns the parameters of `isSeen` for a principal with exactly one role, such as a key. Undefined for
 * other principals, and for a principal that acts in no server.
 */
export function sightOf(principal: Principal, channelId: string): Sight | undefined {
  const { serverId, roleIds } = principal;
  const [roleId] = roleIds;
  if (serverId === null || roleId === undefined || roleIds.length > 1) return undefined;
  const member = isInPerson(principal) ? patternOf(principal.userId) : NOBODY;
  return { channelId, serverId, seesEvery: seesEveryChannel(principal), role: patternOf(roleId), member };
}
