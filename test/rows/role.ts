import { anInsert, plainRole, toOne } from '../support/randomWrites.ts';
import type { Fields } from '../support/records.ts';
import type { Rule } from '../support/rules.ts';
import { allIn } from '../support/shown.ts';
import { roleDeletes } from './cascades.ts';
import type { Noun } from './row.ts';

const flags = {
  canAdmin: 'flag',
  canEditChannel: 'flag',
  canEditServer: 'flag',
  canEditData: 'flag',
  canModerate: 'flag',
  canEditApp: 'flag',
  canViewData: 'flag',
} as const;

export const role: Fields = {
  serverId: 'id',
  name: 'text',
  color: 'text?',
  isDefault: 'flag',
  mentionable: 'flag',
  ...flags,
};

const rule: Rule = { flags: ['canAdmin'] };

export const roles: Noun = {
  name: 'role',
  group: 'Roles',
  limit: 60,
  events: ['created', 'updated', 'deleted'],
  make: (scene) => scene.role(),

  all: allIn('roles'),

  reads: [
    {
      name: 'rolesByServer',
      path: '/servers/:serverId/roles',
      answer: role,
      sight: 'server',
      ready: async (scene) => ({ id: (await scene.role()).serverId }),
      listings: [
        {
          order: 'oldest',
          mixed: true,
          open: async (scene) => ({
            path: `/servers/${scene.server.id}/roles`,
            add: async () => (await scene.role()).id,
            take: (id) => scene.remove(`/roles/${id}`),
          }),
        },
      ],
    },
    {
      name: 'roleById',
      path: '/roles/:roleId',
      answer: role,
      sight: 'server',
      ready: async (scene) => ({ id: (await scene.role()).id }),
    },
  ],

  writes: [
    {
      name: 'roleInsert',
      method: 'POST',
      path: '/roles',
      answer: role,
      rule,
      ready: async () => ({ body: { name: 'Editors' } }),
      sample: () => ({ canEditData: true }),
      fields: { ...flags, name: 'name!', serverId: 'reference', color: 'text?', mentionable: 'flag' },
      events: [
        {
          what: 'a role',
          write: async ({ world }) => ({
            body: { name: world.unique('role'), canEditData: true },
            home: (made) => [['role.created', made]],
          }),
        },
      ],
      random: [anInsert(2, ({ unique }, choice) => ({ name: unique('role'), canEditData: choice.flag() }))],
    },
    {
      name: 'roleUpdate',
      method: 'PATCH',
      path: '/roles/:id',
      answer: role,
      rule,
      ready: async (scene) => ({ id: (await scene.role()).id }),
      sample: () => ({ color: '#3366ff' }),
      fields: { ...flags, name: 'name', color: 'text?', mentionable: 'flag' },
      events: [
        {
          what: 'a role',
          write: async ({ home }) => ({
            id: (await home.role()).id,
            body: { canModerate: true },
            home: (made) => [['role.updated', made]],
          }),
        },
      ],
      random: [toOne(2, 'role', ({ unique }) => ({ name: unique('role') }), plainRole)],
    },
    {
      name: 'roleDelete',
      method: 'DELETE',
      path: '/roles/:id',
      answer: role,
      rule,
      ready: async (scene) => ({ id: (await scene.role()).id }),
      events: roleDeletes,
      random: [toOne(1, 'role', undefined, plainRole)],
    },
  ],
};
