import { write } from '../../operations/write.ts';
import { load } from '../common.ts';
import { changeUser, toUser, user } from '../user.ts';
import { pictureContent } from './content.ts';
import { channelImageUpload, serverBannerUpload, serverIconUpload, userImageUpload } from './upload.ts';

export const pictureOperations = [
  pictureContent,
  userImageUpload,

  write({
    operation: 'userImageDelete',
    path: '/users/me/image',
    resource: 'picture',
    verb: 'delete',
    summary: 'Remove your image',
    description: 'Clears `image`, whether it is an uploaded image or a URL.',
    answer: user,
    target: ({ principal }) => Promise.resolve({ serverId: principal.serverId, ownerId: principal.userId }),
    async run(call, _input, { ownerId }) {
      const found = await load(call.db, 'user', ownerId);
      return toUser(found.image === null ? found : await changeUser(call, found, { image: null }));
    },
  }),
];

/** The operations on pictures of servers. The documents list them with servers. */
export const serverPictureOperations = [serverIconUpload, serverBannerUpload];

/** The operations on pictures of direct messages. The documents list them with direct messages. */
export const channelPictureOperations = [channelImageUpload];
