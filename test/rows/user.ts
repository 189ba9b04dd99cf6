import { type Fields, whole } from '../support/records.ts';
import type { Json } from '../support/world.ts';
import { role } from './role.ts';
import type { Listing, Noun } from './row.ts';
import { secret } from './secret.ts';
import { server } from './server.ts';

export const user: Fields = {
  username: 'text',
  name: 'text',
  image: 'text?',
  type: 'text',
  platformAdmin: 'flag',
  creatorId: 'id?',
};

/** A way to list users. The test creates the users before their memberships, so the order is known. */
const listing = (as?: string): Listing => ({
  ...(as && { as }),
  order: 'oldest',
  mixed: true,
  async open(scene) {
    const users: Json[] = [];
    for (let made = 0; made < 40; made++) users.push(await scene.world.user());
    const memberships = new Map<string, string>();
    return {
      path: as ? `/users?ids=${users.map(({ id }) => id).join()}` : '/users',
      async add() {
        const { id: userId } = users[memberships.size] as Json;
        memberships.set(userId, (await scene.make('/server-members', { userId })).id);
        return userId;
      },
      take: (userId) => scene.remove(`/server-members/${memberships.get(userId)}`),
    };
  },
});

export const users: Noun = {
  name: 'user',
  make: async (scene) => ({ id: (await scene.member()).userId }),
  reads: [
    {
      name: 'userMe',
      path: '/users/me',
      answer: {
        ...user,
        key: whole(secret),
        server: whole(server),
        role: whole(role),
        flags: 'list',
        isServerCreator: 'flag',
      },
      sight: 'own',
      ready: async () => ({}),
    },
    {
      name: 'usersBeside',
      path: '/users',
      answer: user,
      sight: 'own',
      ready: async () => ({}),
      filters: { ids: 'reference' },
      listings: [listing(), listing('by their ids')],
    },
    {
      name: 'userById',
      path: '/users/:userId',
      answer: user,
      sight: 'profile',
      ready: async ({ owner }) => ({ id: owner.id }),
    },
  ],
  writes: [],
};
