import { dataOf } from '../support/expect.ts';
import { png } from '../support/pictures.ts';
import { toOne } from '../support/randomWrites.ts';
import type { Fields } from '../support/records.ts';
import type { Rule } from '../support/rules.ts';
import type { Scene } from '../support/scene.ts';
import { allIn } from '../support/shown.ts';
import { upload } from '../support/uploads.ts';
import type { Json } from '../support/world.ts';
import type { Noun } from './row.ts';

const emoji: Fields = { serverId: 'id', name: 'text', url: 'text', creatorId: 'id' };

const rule: Rule = { creator: true, owner: true, flags: ['canEditServer'] };

/** A custom emoji that the admin has uploaded. */
async function made({ world, admin }: Scene): Promise<Json> {
  const fields = { name: world.unique('emoji').toLowerCase() };
  const image = Buffer.from(png(40, 40));
  return dataOf(await upload(world, admin, image, 'emoji.png', { path: '/emoji', fields }));
}

/** Uploads have no rows: `files/emoji` tests them. */
export const emojis: Noun = {
  name: 'emoji',
  group: 'Emoji',
  limit: 60,
  events: ['created', 'deleted'],
  make: made,
  all: allIn('emoji'),

  reads: [
    {
      name: 'emojiByServer',
      path: '/servers/:serverId/emoji',
      answer: emoji,
      sight: 'server',
      ready: async (scene) => ({ id: (await made(scene)).serverId }),
      listings: [
        {
          order: 'oldest',
          open: async (scene) => ({
            path: `/servers/${scene.server.id}/emoji`,
            add: async () => (await made(scene)).id,
            take: (id) => scene.remove(`/emoji/${id}`),
          }),
        },
      ],
    },
  ],

  writes: [
    {
      name: 'emojiDelete',
      method: 'DELETE',
      path: '/emoji/:id',
      answer: emoji,
      rule,
      ready: async (scene) => ({ id: (await made(scene)).id }),
      events: [
        {
          what: 'a custom emoji',
          write: async ({ home }) => ({
            id: (await made(home)).id,
            home: (gone) => [['emoji.deleted', gone]],
          }),
        },
      ],
      random: [toOne(1, 'emoji')],
    },
  ],
};
