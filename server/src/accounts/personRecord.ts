import type { Reader } from '../db/contract.ts';
import { find } from '../db/statements.ts';
import { PASSWORD } from '../db/tables/identity.ts';
import { flagNames } from '../lib/flags.ts';
import { Type } from '../lib/schema.ts';
import { mailLanguages } from '../mail/words.ts';
import { sampleId } from '../operations/examples.ts';
import { flag, id, nullable, oneOf, record, text, time } from '../operations/fields.ts';
import { load } from '../resources/common.ts';
import { keywords } from '../resources/keywords/keywords.ts';
import { shownFields, toUser } from '../resources/user.ts';

const email = () =>
  text({
    max: 254,
    description: 'Your verified email address. Only you and platform admins can see it',
    examples: ['ada@example.com'],
  });

/** The setting for incoming direct messages. */
export const directMessages = oneOf(
  ['anybody', 'nobody'],
  'The users who can start direct messages with you, or write in one between the two of you: `anybody` in your servers, or `nobody`',
);

const timeOfDay = (description: string) =>
  Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', description, examples: ['22:00'] });

/** The settings for notifications outside the client. */
export const reachFields = {
  pushContent: oneOf(
    ['full', 'sender', 'nothing'],
    'Contents of push notifications: `full`, only the `sender` and the channel, or `nothing`',
  ),
  digest: oneOf(
    ['off', 'mentions'],
    'With `mentions`, you get an email about mentions and direct messages that stay unread for ten minutes, if your address is verified and the server sends email',
  ),
  quietHours: nullable(
    Type.Object(
      {
        from: timeOfDay('The time when quiet hours begin, such as `22:00`'),
        to: timeOfDay('The time when quiet hours end: on the next day, unless it is later than `from`'),
        timeZone: text({
          min: 1,
          max: 64,
          description: 'An IANA time zone name',
          examples: ['Europe/Berlin'],
        }),
        days: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
          minItems: 1,
          maxItems: 7,
          uniqueItems: true,
          description: 'The days on which quiet hours begin: 1 is Monday, 7 is Sunday',
          examples: [[1, 2, 3, 4, 5]],
        }),
      },
      {
        additionalProperties: false,
        description:
          'Times without push notifications, sounds and digests; null for none. Notifications are still listed',
      },
    ),
  ),
  keywords,
  language: nullable(oneOf(mailLanguages, 'The language of digest emails; null for English')),
};

/** A person, as shown to themselves. */
export const person = record('Person', {
  ...shownFields,
  directMessages,
  ...reachFields,
  email: nullable(email()),
  hasPassword: flag('Whether you can sign in and confirm your identity with a password', true),
  hasPasskey: flag('Whether you can sign in and confirm your identity with a passkey'),
  hasSecondFactor: flag('Whether signing in with the password requires a code'),
  provenAt: time('When you last signed in or confirmed your identity in this session; 0 for never'),
});

/** The person, with their roles and flags in the session's current server. */
export const myself = record('Myself', {
  ...person.properties,
  serverId: nullable(id('The server in the `Palaver-Server` header, if you are a member')),
  roleIds: Type.Array(id(), { description: 'All your roles in the server', examples: [[sampleId('role')]] }),
  flags: Type.Array(oneOf(flagNames), {
    description: 'The flags of these roles, including implied ones',
    examples: [['canEditData', 'canModerate']],
  }),
  pushKey: nullable(
    text({
      max: 100,
      description:
        'The public key for `PushManager.subscribe`, as `applicationServerKey`; null if it could not be created',
      examples: ['BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'],
    }),
  ),
  isServerCreator: flag('Whether you own the server, and so can see all its channels'),
  hasCalls: flag('Whether channels have calls (`GET /api/people/channels/:id/call`)'),
});

/** Returns the record of a person with a session. Throws NOT_FOUND. */
export async function personOf(db: Reader, userId: string, provenAt: number) {
  const [user, account, factor, password, passkey, digest, list] = await Promise.all([
    load(db, 'user', userId),
    db.first(find('person', { id: userId })),
    db.first(find('secondFactor', { id: userId })),
    db.first(find('identity', { userId, provider: PASSWORD })),
    db.first(find('passkey', { userId })),
    db.first(find('emailDigest', { id: userId })),
    db.first(find('keywordList', { id: userId })),
  ]);
  const hasSecondFactor = factor !== undefined && factor.confirmedAt !== null;
  return {
    ...toUser(user),
    directMessages: user.directMessages,
    pushContent: account?.pushContent ?? 'full',
    digest: digest ? 'mentions' : 'off',
    quietHours: account?.quietHours ?? null,
    keywords: list?.keywords ?? [],
    language: account?.language ?? null,
    email: account?.email ?? null,
    hasPassword: password !== undefined,
    hasPasskey: passkey !== undefined,
    hasSecondFactor,
    provenAt,
  };
}
