import { type Expression, type SqlBool, sql } from 'kysely';
import type { Standing } from './principal.ts';

/** `canSeeChannel` as a condition on rows of `channel` in the principal's server, for lists. */
export function whereChannelVisible(principal: Standing): Expression<SqlBool> {
  if (principal.isServerCreator || principal.flags.has('canAdmin')) return sql`1 = 1`;
  const held = principal.roleIds.map(
    (roleId) => sql`cast(channel."roleIds" as text) like ${`%"${roleId}"%`}`,
  );
  return sql`(${sql.join([sql`channel.private = ${false}`, ...held], sql` or `)})`;
}
