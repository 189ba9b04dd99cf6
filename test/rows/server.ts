import { dataOf } from '../support/expect.ts';
import type { Fields } from '../support/records.ts';
import { hideServers, takeMember } from '../support/rows.ts';
import type { Listing, Noun } from './row.ts';

export const server: Fields = {
  name: 'text',
  welcome: 'text?',
  description: 'text?',
  icon: 'text?',
  banner: 'text?',
  domain: 'text?',
  private: 'flag',
  tint: 'count?',
  editHistory: 'text',
  directAgents: 'flag',
  linkPreviews: 'flag',
  retentionDays: 'count?',
  creatorId: 'id',
  memberCount: 'count',
};

/**
 * A way to list the servers that anyone can join: all of them, after all existing servers were hidden, or those that
 * match a word.
 */
const joinable = (as?: string): Listing => ({
  ...(as && { as }),
  order: 'oldest',
  async open({ world, admin }) {
    if (!as) await hideServers(world);
    const owner = await world.user();
    const word = world.unique('place');
    return {
      path: `/servers/joinable${as ? `?q="${word}"` : ''}`,
      add: async () => (await world.server(owner, `A ${word} to be`)).id,
      take: async (serverId) => dataOf(await admin.post('/server-members', { serverId })),
    };
  },
});

export const servers: Noun = {
  name: 'server',
  group: 'Servers',
  limit: 5,
  events: ['created', 'updated', 'deleted'],
  make: async ({ server }) => server,
  all: async ({ server, watchers: [admin] }) => [dataOf(await admin.get(`/servers/${server.id}`))],

  reads: [
    {
      name: 'serverById',
      path: '/servers/:serverId',
      answer: server,
      sight: 'public',
      ready: async (scene) => ({ id: scene.server.id }),
    },
    {
      name: 'userServers',
      path: '/servers',
      answer: server,
      sight: 'own',
      ready: async () => ({}),
      listings: [
        {
          order: 'oldest',
          mixed: true,
          async open({ world, owner }) {
            const other = await world.user();
            return {
              path: '/servers',
              async add() {
                const joined = await world.server(other);
                await world.member(joined, owner);
                return joined.id;
              },
              take: (serverId) => takeMember(world, serverId, owner.id),
            };
          },
        },
      ],
    },
    {
      name: 'searchJoinableServers',
      path: '/servers/joinable',
      answer: server,
      sight: 'own',
      async ready({ world }) {
        await world.server(await world.user());
        return {};
      },
      filters: { q: 'words' },
      listings: [joinable(), joinable('with a word')],
    },
  ],

  writes: [
    {
      name: 'serverUpdate',
      method: 'PATCH',
      path: '/servers/:id',
      answer: server,
      rule: { creator: true, flags: ['canEditServer'] },
      ready: async (scene) => ({ id: scene.server.id }),
      sample: () => ({ welcome: 'Come in' }),
      fields: {
        name: 'name',
        welcome: 'longText?',
        description: 'longText?',
        icon: 'url?',
        banner: 'url?',
        domain: 'text?',
        private: 'flag',
        tint: 'tint?',
        editHistory: 'readers',
        directAgents: 'flag',
        linkPreviews: 'flag',
        retentionDays: 'days?',
      },
      events: [
        {
          what: 'settings',
          write: async ({ home }) => ({
            id: home.server.id,
            body: { welcome: 'Come in' },
            home: (made) => [['server.updated', made]],
          }),
        },
      ],
      random: [
        {
          weight: 2,
          write: ({ server, unique }) => ({ id: server.id, body: { welcome: unique('welcome') } }),
        },
      ],
    },
  ],
};
