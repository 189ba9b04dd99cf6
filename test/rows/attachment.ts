import { dataOf } from '../support/expect.ts';
import { one, type RandomWrite } from '../support/randomWrites.ts';
import type { Fields } from '../support/records.ts';
import type { Scene } from '../support/scene.ts';
import { upload } from '../support/uploads.ts';
import type { Json } from '../support/world.ts';
import type { Noun } from './row.ts';

const attachment: Fields = {
  serverId: 'id',
  channelId: 'id?',
  messageId: 'id?',
  creatorId: 'id',
  name: 'text',
  type: 'text',
  bytes: 'count',
  width: 'count?',
  height: 'count?',
  thumbhash: 'text?',
  previews: 'list',
};

/** A file that the admin has uploaded but not sent. */
const unsent = async (scene: Scene): Promise<Json> => dataOf(await upload(scene.world, scene.admin));

/** A file that was sent with a message. */
async function sent(scene: Scene): Promise<Json> {
  const { id } = await unsent(scene);
  const { id: channelId } = await scene.place();
  await scene.make('/messages', { channelId, content: 'Hello', attachmentIds: [id] });
  return { id };
}

/** The user who uploaded an unsent file removes it. */
const removal: RandomWrite = {
  weight: 1,
  write(place, choice) {
    const found = one(place, choice, 'attachment', ({ messageId }) => messageId === null);
    const as = place.watchers.find(({ secret }) => secret.userId === found?.creatorId);
    return found && as && { id: found.id, as };
  },
};

let made = 0;

/** Uploads and downloads have no rows: `files/` tests them. */
export const attachments: Noun = {
  name: 'attachment',
  group: 'Attachments',
  limit: 60,
  events: ['created', 'updated', 'deleted'],
  goesWith: ['channel', 'thread'],
  // Most files are sent, because the number of unsent files per user is limited.
  make: (scene) => (made++ % 4 === 0 ? unsent(scene) : sent(scene)),
  reads: [
    {
      name: 'attachmentById',
      path: '/attachments/:attachmentId',
      answer: attachment,
      sight: 'channel',
      ready: sent,
    },
  ],
  writes: [
    {
      name: 'attachmentDelete',
      method: 'DELETE',
      path: '/attachments/:id',
      answer: attachment,
      rule: { owner: true, flags: [], ownOnly: true },
      ready: async (scene) => ({ id: (await unsent(scene)).id }),
      events: [
        {
          what: 'a file that was not sent',
          async write({ home }) {
            const { id } = await unsent(home);
            return {
              id,
              home: (made) => [['attachment.deleted', { ...made, name: 'deleted', thumbhash: null }]],
            };
          },
        },
      ],
      random: [removal],
    },
  ],
};
