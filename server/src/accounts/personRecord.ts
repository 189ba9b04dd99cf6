import type { Reader } from '../db/contract.ts';
import { find } from '../db/statements.ts';
import { flagNames } from '../lib/flags.ts';
import { Type } from '../lib/schema.ts';
import { sampleId } from '../operations/examples.ts';
import { flag, id, nullable, oneOf, record, text, time } from '../operations/fields.ts';
import { load } from '../resources/common.ts';
import { shownFields, toUser } from '../resources/user.ts';
import { PASSWORD } from './account.ts';

const email = () =>
  text({ max: 254, description: 'Verified. Only you see it', examples: ['ada@example.com'] });

/** A person as they see themselves. */
export const person = record('Person', {
  ...shownFields,
  email: nullable(email()),
  hasPassword: flag('You can sign in, and prove who you are, by a password', true),
  hasPasskey: flag('The same by a passkey'),
  hasSecondFactor: flag('A code is asked for when you sign in with the password'),
  provenAt: time(
    'The last time at which you signed in, or gave your password or passkey, in this session; 0 for never',
  ),
});

/** The person, with their standing in the session's current server. */
export const myself = record('Myself', {
  ...person.properties,
  serverId: nullable(
    id('The server in which you act: that of the header `Palaver-Server`, if you are a member'),
  ),
  roleIds: Type.Array(id(), { description: 'All your roles there', examples: [[sampleId('role')]] }),
  flags: Type.Array(oneOf(flagNames), {
    description: 'The flags of these roles, and those that they imply',
    examples: [['canEditData', 'canModerate']],
  }),
  isServerCreator: flag(
    'You made the server, or it was handed over to you, and so you see all of its channels',
  ),
});

/** The record of a person with a session. Throws NOT_FOUND. */
export async function personOf(db: Reader, userId: string, provenAt: number) {
  const [user, account, factor, password, passkey] = await Promise.all([
    load(db, 'user', userId),
    db.first(find('person', { id: userId })),
    db.first(find('secondFactor', { id: userId })),
    db.first(find('identity', { userId, provider: PASSWORD })),
    db.first(find('passkey', { userId })),
  ]);
  const hasSecondFactor = factor !== undefined && factor.confirmedAt !== null;
  return {
    ...toUser(user),
    email: account?.email ?? null,
    hasPassword: password !== undefined,
    hasPasskey: passkey !== undefined,
    hasSecondFactor,
    provenAt,
  };
}

/** A link's purpose, for its page to show before the link is used. */
export const shownLink = record('Link', {
  purpose: oneOf(
    ['claim', 'password', 'recovery', 'signUp', 'reset', 'email'],
    'To claim the account of a user, to give an account a new password (`reset` by mail; `recovery` without its second factor), to sign up, or to confirm an e-mail address',
  ),
  username: nullable(
    text({
      max: 100,
      examples: ['ada'],
      description: 'Of the account; null to sign up, or to confirm an address',
    }),
  ),
  name: nullable(text({ max: 100, examples: ['Ada Lovelace'] })),
  expiresAt: time(),
});
