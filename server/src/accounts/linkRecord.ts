import { Type } from '../lib/schema.ts';
import { flag, id, nullable, oneOf, pictureAddress, record, text, time } from '../operations/fields.ts';
import { user } from '../resources/user.ts';

/** Maximum servers of a user that a link shows. */
export const MAX_SHOWN_SERVERS = 5;

/** A link, as its page shows it before the person uses it. */
export const shownLink = record('Link', {
  purpose: oneOf(
    ['claim', 'password', 'recovery', 'signUp', 'reset', 'email'],
    "The link's purpose. `claim`: claim a user's account. `password` (from the operator or a platform admin) and `reset` (by email): set a new password. `recovery`: set a new password, and remove two-factor authentication, passkeys, linked provider accounts and the email address. `signUp`: sign up. `email`: confirm an email address",
  ),
  username: nullable(
    text({
      max: 100,
      examples: ['ada'],
      description: "The account's username; null for links to sign up or to confirm an address",
    }),
  ),
  name: nullable(text({ max: 100, examples: ['Ada Lovelace'] })),
  image: nullable(pictureAddress()),
  servers: Type.Array(
    Type.Object({
      id: id(),
      name: text({ max: 100, examples: ['Harbour'] }),
      icon: nullable(pictureAddress()),
    }),
    {
      description: `With the purpose \`claim\`, up to ${MAX_SHOWN_SERVERS} servers that the user belongs to; otherwise empty`,
    },
  ),
  canMerge: flag('Whether a signed-in person can claim the user with their account (`POST /links/merge`)'),
  expiresAt: time(),
});

/**
 * A user who was claimed by an account. During the merge, a message may belong to either the user or the
 * account.
 */
export const claimedUser = record('ClaimedUser', {
  username: user.properties.username,
  name: user.properties.name,
  image: user.properties.image,
});
