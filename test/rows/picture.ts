import type { Noun } from './row.ts';
import { user } from './user.ts';

/** Uploads and downloads have no rows: `files/` tests them. */
export const pictures: Noun = {
  name: 'picture',
  // Pictures have no events of their own; the records that reference them do.
  live: true,
  group: 'Pictures',
  limit: 60,
  reads: [],
  writes: [
    {
      name: 'userImageDelete',
      method: 'DELETE',
      path: '/users/me/image',
      answer: user,
      // Anyone can delete their own picture.
      rule: { anyone: true, flags: [], inOwnServer: true, ownOnly: true },
      ready: async () => ({}),
      events: [{ what: 'nothing: a user is in no log', write: async () => ({}) }],
    },
  ],
};
