import { anInsert, toOne } from '../support/randomWrites.ts';
import type { Fields } from '../support/records.ts';
import { allIn } from '../support/shown.ts';
import type { Noun } from './row.ts';

const invite: Fields = {
  serverId: 'id',
  creatorId: 'id',
  maxUses: 'count?',
  uses: 'count',
  expiresAt: 'time?',
  code: 'text?',
};

export const invites: Noun = {
  name: 'invite',
  group: 'Invites',
  limit: 60,
  events: ['created', 'updated', 'deleted'],
  make: (scene) => scene.invite(),
  all: allIn('invites'),

  reads: [
    {
      name: 'invitesByServer',
      path: '/servers/:serverId/invites',
      answer: invite,
      sight: 'server',
      ready: async (scene) => ({ id: (await scene.invite()).serverId }),
      listings: [
        {
          order: 'newest',
          open: async (scene) => ({
            path: `/servers/${scene.server.id}/invites`,
            add: async () => (await scene.invite()).id,
            take: (id) => scene.remove(`/invites/${id}`),
          }),
        },
      ],
    },
    {
      name: 'inviteById',
      path: '/invites/:inviteId',
      answer: {
        ...invite,
        server: { id: 'id', name: 'text', icon: 'text?', description: 'text?', memberCount: 'count' },
      },
      sight: 'anyone',
      ready: async (scene) => ({ id: (await scene.invite()).id }),
    },
  ],

  writes: [
    {
      name: 'inviteInsert',
      method: 'POST',
      path: '/invites',
      answer: invite,
      rule: { flags: ['canEditData'] },
      ready: async () => ({ body: {} }),
      sample: () => ({ maxUses: 3 }),
      fields: { serverId: 'reference', maxUses: 'uses', expiresAt: 'time' },
      events: [
        {
          what: 'an invite',
          write: async () => ({ body: { maxUses: 3 }, home: (made) => [['invite.created', made]] }),
        },
      ],
      random: [anInsert(2, (_place, choice) => ({ maxUses: 1 + choice.number(3) }))],
    },
    {
      name: 'inviteDelete',
      method: 'DELETE',
      path: '/invites/:id',
      answer: invite,
      rule: { owner: true, flags: ['canAdmin'] },
      ready: async (scene) => ({ id: (await scene.invite()).id }),
      events: [
        {
          what: 'an invite',
          async write({ home }) {
            const invite = await home.invite();
            return { id: invite.id, home: () => [['invite.deleted', invite]] };
          },
        },
      ],
      random: [toOne(1, 'invite')],
    },
  ],
};
