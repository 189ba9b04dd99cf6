import { type Fields, whole } from '../support/records.ts';
import { role } from './role.ts';
import type { Noun } from './row.ts';
import { secret } from './secret.ts';
import { server } from './server.ts';

export const user: Fields = {
  username: 'text',
  name: 'text',
  image: 'text?',
  type: 'text',
  platformAdmin: 'flag',
};

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
      name: 'userById',
      path: '/users/:userId',
      answer: user,
      sight: 'profile',
      ready: async ({ owner }) => ({ id: owner.id }),
    },
  ],
  writes: [],
};
