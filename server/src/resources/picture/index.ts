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

/** The uploads of server icons and banners, which belong to the noun `server`. */
export const serverPictureOperations = [serverIconUpload, serverBannerUpload];

/** The upload of a direct message picture, which belongs to the noun `conversation`. */
export const channelPictureOperations = [channelImageUpload];
