import { anInsert, idOf, one, plainRole, toOne } from '../support/randomWrites.ts';
import type { Fields } from '../support/records.ts';
import type { Rule } from '../support/rules.ts';
import type { Scene } from '../support/scene.ts';
import type { Json } from '../support/world.ts';
import type { Noun } from './row.ts';

const userRole: Fields = { serverId: 'id', userId: 'id', roleId: 'id' };

const rule: Rule = { flags: ['canAdmin'] };

const both = async (scene: Scene) => ({
  userId: (await scene.member()).userId,
  roleId: (await scene.role()).id,
});

const make = async (scene: Scene): Promise<Json> => scene.make('/user-roles', await both(scene));

export const userRoles: Noun = {
  name: 'userRole',
  group: 'User Roles',
  limit: 60,
  events: ['created', 'deleted'],
  make,
  reads: [],
  writes: [
    {
      name: 'userRoleInsert',
      method: 'POST',
      path: '/user-roles',
      answer: userRole,
      rule,
      once: true,
      ready: async (scene) => ({ body: await both(scene) }),
      fields: { userId: 'reference!', roleId: 'reference!' },
      events: [
        {
          what: 'a role for a member',
          async write(stage) {
            const role = await stage.home.role();
            const { id, userId, roleIds } = await stage.member(stage.guestUser.id);
            return {
              body: { userId, roleId: role.id },
              home: (made) => [
                ['userRole.created', made],
                ['serverMember.updated', { id, userId, roleIds: [...roleIds, role.id] }],
              ],
            };
          },
        },
      ],
      random: [
        anInsert(4, (place, choice) => ({
          userId: one(place, choice, 'serverMember')?.userId,
          roleId: idOf(one(place, choice, 'role', plainRole(place))),
        })),
      ],
    },
    {
      name: 'userRoleDelete',
      method: 'DELETE',
      path: '/user-roles/:id',
      answer: userRole,
      rule,
      ready: async (scene) => ({ id: (await make(scene)).id }),
      events: [
        {
          what: 'a role of a member',
          async write({ home, world }) {
            const given = await make(home);
            const { id: roleId } = await world.defaultRole(home.server);
            return {
              id: given.id,
              home: () => [
                ['userRole.deleted', given],
                ['serverMember.updated', { userId: given.userId, roleIds: [roleId] }],
              ],
            };
          },
        },
      ],
      random: [toOne(2, 'userRole')],
    },
  ],
};
