import { anInsert, toOne } from '../support/randomWrites.ts';
import { type Fields, whole } from '../support/records.ts';
import type { Rule } from '../support/rules.ts';
import type { Scene } from '../support/scene.ts';
import { allIn } from '../support/shown.ts';
import type { Json } from '../support/world.ts';
import { memberEnd } from './cascades.ts';
import type { Noun } from './row.ts';
import { user } from './user.ts';

const serverBan: Fields = {
  serverId: 'id',
  userId: 'id',
  creatorId: 'id',
  reason: 'text?',
  user: whole(user),
};

const rule: Rule = { flags: ['canModerate'] };

/** Bans a new user who is not a member. */
const make = async (scene: Scene): Promise<Json> =>
  scene.make('/server-bans', { userId: (await scene.world.user()).id });

export const serverBans: Noun = {
  name: 'serverBan',
  group: 'Server Bans',
  limit: 60,
  events: ['created', 'deleted'],
  make,
  all: allIn('bans'),

  reads: [
    {
      name: 'bansByServer',
      path: '/servers/:serverId/bans',
      answer: serverBan,
      sight: 'canModerate',
      ready: async (scene) => ({ id: (await make(scene)).serverId }),
      listings: [
        {
          order: 'newest',
          open: async (scene) => ({
            path: `/servers/${scene.server.id}/bans`,
            add: async () => (await make(scene)).id,
            take: (id) => scene.remove(`/server-bans/${id}`),
          }),
        },
      ],
    },
  ],

  writes: [
    {
      name: 'serverBanInsert',
      method: 'POST',
      path: '/server-bans',
      answer: serverBan,
      rule,
      once: true,
      ready: async ({ world }) => ({ body: { userId: (await world.user()).id } }),
      sample: () => ({ reason: 'Posts advertisements' }),
      fields: { userId: 'reference!', serverId: 'reference', reason: 'longText?' },
      events: [
        {
          what: 'a user who is not a member',
          write: async ({ world }) => ({
            body: { userId: (await world.user()).id, reason: 'Known elsewhere' },
            home: (made) => [['serverBan.created', made]],
          }),
        },
        {
          what: 'a member',
          async write(stage) {
            const { userId, lines } = await memberEnd(stage);
            return { body: { userId }, home: (made) => [['serverBan.created', made], ...lines] };
          },
        },
      ],
      random: [anInsert(1, ({ users }, choice) => ({ userId: choice.of(users).id }))],
    },
    {
      name: 'serverBanDelete',
      method: 'DELETE',
      path: '/server-bans/:id',
      answer: serverBan,
      rule,
      ready: async (scene) => ({ id: (await make(scene)).id }),
      events: [
        {
          what: 'a ban',
          async write({ home }) {
            const ban = await make(home);
            return { id: ban.id, home: () => [['serverBan.deleted', ban]] };
          },
        },
      ],
      random: [toOne(3, 'serverBan')],
    },
  ],
};
