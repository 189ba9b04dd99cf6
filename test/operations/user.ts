import type { Fields } from '../support/records.ts';
import type { Noun } from './row.ts';

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
      name: 'userById',
      path: '/users/:userId',
      answer: user,
      sight: 'profile',
      ready: async ({ owner }) => ({ id: owner.id }),
    },
  ],
  writes: [],
};
