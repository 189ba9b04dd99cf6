import type { Expression, SqlBool } from 'kysely';
import { sql } from '../db/kysely.ts';
import type { Standing } from './principal.ts';

/** `canSeeChannel` as an SQL condition on the rows of `channel` in the principal's server, for lists. */
export function whereChannelVisible(principal: Standing): Expression<SqlBool> {
  if (principal.isServerCreator || principal.flags.has('canAdmin')) return sql`1 = 1`;
  const listed = principal.roleIds.map(
    (roleId) => sql`cast(channel."roleIds" as text) like ${`%"${roleId}"%`}`,
  );
  return sql`(${sql.join([sql`channel.private = ${false}`, ...listed], sql` or `)})`;
}
