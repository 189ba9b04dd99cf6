import { Type } from '../lib/schema.ts';
import { count, id, longText, name, nullable, pictureAddress } from '../operations/fields.ts';
import { recordOf } from './common.ts';
import { shownFields } from './user.ts';

/** The fields of a server that invites and invitations show before a user joins. */
export const preview = Type.Object({
  id: id(),
  name: name(undefined, 'Harbour'),
  icon: nullable(pictureAddress()),
  description: nullable(longText(undefined, 'Everything about boats')),
  memberCount: count(undefined, 12),
});
export const toPreview = recordOf(preview);

const { username, name: userName, image } = shownFields;
export const inviter = Type.Object(
  { id: id(), username, name: userName, image },
  { description: 'The user who created it; null if they are no longer a member' },
);
export const toInviter = recordOf(inviter);
