import { anInsert, toOne } from '../support/randomWrites.ts';
import type { Fields } from '../support/records.ts';
import { allIn } from '../support/shown.ts';
import { make, rule, runReads, runWrites, steps, trigger } from './flowRun.ts';
import type { Noun } from './row.ts';

const flow: Fields = {
  serverId: 'id',
  name: 'text',
  description: 'text?',
  enabled: 'flag',
  kind: 'text',
  disabledReason: 'text?',
  trigger: 'json',
  steps: 'list',
  creatorId: 'id',
  makerId: 'id?',
  userId: 'id?',
  roleId: 'id?',
};

export const flows: Noun = {
  name: 'flow',
  group: 'Flows',
  limit: 60,
  events: ['created', 'updated', 'deleted'],
  make,
  all: allIn('flows'),

  reads: [
    {
      name: 'flowsByServer',
      path: '/servers/:serverId/flows',
      answer: flow,
      sight: 'canViewData',
      ready: async (scene) => ({ id: (await make(scene)).serverId }),
      listings: [
        {
          order: 'oldest',
          open: async (scene) => ({
            path: `/servers/${scene.server.id}/flows`,
            add: async () => (await make(scene)).id,
            take: (id) => scene.remove(`/flows/${id}`),
          }),
        },
      ],
    },
    {
      name: 'flowById',
      path: '/flows/:flowId',
      answer: flow,
      sight: 'canViewData',
      ready: async (scene) => ({ id: (await make(scene)).id }),
    },
    ...runReads,
  ],

  writes: [
    {
      name: 'flowInsert',
      method: 'POST',
      path: '/flows',
      answer: flow,
      rule,
      ready: async () => ({ body: { name: 'Keep', trigger, steps } }),
      sample: () => ({ description: 'Keeps a value', enabled: false }),
      fields: {
        name: 'name!',
        serverId: 'reference',
        description: 'longText?',
        enabled: 'flag',
        trigger: 'trigger!',
        steps: 'steps!',
      },
      events: [
        {
          what: 'a flow with its own agent and role',
          async write(stage) {
            const { home, world } = stage;
            const memberCount = await stage.memberCount();
            const { id: defaultId } = await world.defaultRole(home.server);
            return {
              body: { name: 'Keep', trigger, steps },
              home: ({ id, userId, roleId }) => [
                [
                  'serverMember.created',
                  { userId, user: { id: userId, type: 'agent' }, roleIds: [defaultId] },
                ],
                ['userRole.created', { userId, roleId: defaultId }],
                ['server.updated', { id: home.server.id, memberCount: memberCount + 1 }],
                ['role.created', { id: roleId, name: 'Flow: Keep' }],
                ['flow.created', { id, userId, roleId, kind: 'flow' }],
              ],
            };
          },
        },
      ],
      random: [anInsert(2, () => ({ name: 'Keep', trigger, steps, enabled: false }))],
    },
    {
      name: 'flowUpdate',
      method: 'PATCH',
      path: '/flows/:id',
      answer: flow,
      rule,
      ready: async (scene) => ({ id: (await make(scene)).id }),
      sample: () => ({ name: 'Kept' }),
      fields: {
        name: 'name',
        description: 'longText?',
        enabled: 'flag',
        trigger: 'trigger',
        steps: 'steps',
      },
      events: [
        {
          what: 'other steps',
          async write({ home }) {
            const { id } = await make(home);
            return { id, body: { steps: [] }, home: () => [['flow.updated', { id, steps: [] }]] };
          },
        },
      ],
      random: [toOne(2, 'flow', (_place, choice) => ({ enabled: choice.flag() }))],
    },
    {
      name: 'flowDelete',
      method: 'DELETE',
      path: '/flows/:id',
      answer: flow,
      rule,
      ready: async (scene) => ({ id: (await make(scene)).id }),
      events: [
        {
          what: 'a flow, and its role',
          async write({ home }) {
            const { id, roleId } = await make(home);
            return {
              id,
              home: () => [
                ['flow.deleted', { id }],
                ['role.deleted', { id: roleId }],
              ],
            };
          },
        },
      ],
      random: [toOne(1, 'flow')],
    },
    ...runWrites,
  ],
};
