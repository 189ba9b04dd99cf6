import { q } from '../../db/statements.ts';
import { effectiveFlags, flagNames, flagsOf } from '../../lib/flags.ts';
import { Type } from '../../lib/schema.ts';
import { sampleId } from '../../operations/examples.ts';
import { flag, id, oneOf, record } from '../../operations/fields.ts';
import { read } from '../../operations/read.ts';
import { ownTarget } from '../common.ts';
import { pageById, rowsById } from '../lists.ts';
import { server, toServer } from '../server/serverRecord.ts';

/** A server as listed for one of its members. */
const ownServer = record('OwnServer', {
  ...server.properties,
  roleIds: Type.Array(id(), { description: 'All your roles in the server', examples: [[sampleId('role')]] }),
  flags: Type.Array(oneOf(flagNames), {
    description: 'The flags of these roles, including implied ones',
    examples: [['canEditData', 'canModerate']],
  }),
  isServerCreator: flag('Whether you own the server'),
});

/** Selects a user's roles in the given servers. The rows of a deleted role remain until they are swept. */
const rolesIn = (userId: string, serverIds: readonly string[]) =>
  q
    .selectFrom('userRole')
    .innerJoin('role', 'role.id', 'userRole.roleId')
    .selectAll('role')
    .where('userRole.userId', '=', userId)
    .where('userRole.serverId', 'in', serverIds)
    .orderBy('role.id');

export const ownServers = read({
  operation: 'ownServers',
  people: true,
  path: '/servers',
  tag: 'server',
  summary: 'List your servers with your permissions',
  description: 'Returns all your servers, oldest first, regardless of the server in which you act.',
  visible: 'self',
  answer: ownServer,
  list: 'many',
  target: ownTarget,
  async run({ db, principal: { userId } }, input) {
    const rows = q
      .selectFrom('serverMember')
      .innerJoin('server', 'server.id', 'serverMember.serverId')
      .selectAll('server')
      .where('serverMember.userId', '=', userId)
      .where('server.deletedAt', 'is', null);
    const servers = await db.all(rowsById(rows, input, 'asc', 'server.id'));
    const ids = servers.map(({ id }) => id);
    const roles = ids.length === 0 ? [] : await db.all(rolesIn(userId, ids));
    const rolesOf = Map.groupBy(roles, ({ serverId }) => serverId);
    return pageById(servers, input.query.limit, (row) => {
      const own = rolesOf.get(row.id) ?? [];
      const flags = effectiveFlags(own.flatMap(flagsOf));
      return {
        ...toServer(row),
        roleIds: own.map(({ id }) => id),
        flags: flagNames.filter((name) => flags.has(name)),
        isServerCreator: row.creatorId === userId,
      };
    });
  },
});
