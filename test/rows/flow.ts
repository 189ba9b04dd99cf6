import type { Fields } from '../support/records.ts';
import { takeFlow } from '../support/rows.ts';
import { allIn } from '../support/shown.ts';
import type { Noun } from './row.ts';

const flow: Fields = {
  serverId: 'id',
  name: 'text',
  description: 'text?',
  enabled: 'flag',
  trigger: 'json',
  steps: 'list',
  creatorId: 'id',
};

/** Flows are written by a command, and only by people: see spec/people.flows. */
export const flows: Noun = {
  name: 'flow',
  events: ['created', 'updated', 'deleted'],
  make: (scene) => scene.flow(),
  all: allIn('flows'),
  reads: [
    {
      name: 'flowsByServer',
      path: '/servers/:serverId/flows',
      answer: flow,
      sight: 'canViewData',
      ready: async (scene) => ({ id: (await scene.flow()).serverId }),
      listings: [
        {
          order: 'oldest',
          open: async (scene) => ({
            path: `/servers/${scene.server.id}/flows`,
            add: async () => (await scene.flow()).id,
            take: (id) => takeFlow(scene.world, id),
          }),
        },
      ],
    },
    {
      name: 'flowById',
      path: '/flows/:flowId',
      answer: flow,
      sight: 'canViewData',
      ready: async (scene) => ({ id: (await scene.flow()).id }),
    },
  ],
  writes: [],
};
