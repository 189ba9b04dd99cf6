import type { RowOf } from '../db/schema.ts';
import { find, q, update } from '../db/statements.ts';
import { ApiError, invalid } from '../errors.ts';
import { isTimeZone } from '../lib/quietHours.ts';
import { provenAtOf, type WriteCall } from '../operations/call.ts';
import { body, optional } from '../operations/fields.ts';
import { write } from '../operations/write.ts';
import { load } from '../resources/common.ts';
import { requireKeywords } from '../resources/keywords/keywords.ts';
import { changeUser, requireOwnUsername, requireUsername, fields as userFields } from '../resources/user.ts';
import { directMessages, person, personOf, reachFields } from './personRecord.ts';
import { setReach } from './reach.ts';

/**
 * Minimum time between two renames. Renames are limited because people mention each other by username, and a
 * previous username becomes available to anyone.
 */
const RENAME_MS = 24 * 60 * 60_000;

/**
 * Uses up the person's rename for the day. Only one of several concurrent requests succeeds, across all
 * nodes. Throws RATE_LIMITED.
 */
async function takeRename({ db, now }: WriteCall, { id, renamedAt }: RowOf<'person'>): Promise<void> {
  const waitMs = renamedAt === null ? 0 : renamedAt + RENAME_MS - now;
  const taken = q
    .updateTable('person')
    .set({ renamedAt: now })
    .where('id', '=', id)
    .where('renamedAt', renamedAt === null ? 'is' : '=', renamedAt);
  if (waitMs <= 0 && (await db.count(taken)) === 1) return;
  throw new ApiError('RATE_LIMITED', 'you can change your username once a day', undefined, {
    'retry-after': String(Math.ceil((waitMs > 0 ? waitMs : RENAME_MS) / 1000)),
  });
}

export const profileOperations = [
  write({
    operation: 'personUpdate',
    people: true,
    path: '/me',
    resource: 'person',
    verb: 'update',
    summary: 'Update your profile, privacy and notification settings',
    description:
      'A new name or image appears in all your servers shortly after. A username can be changed once a day.',
    body: body({
      username: optional(userFields.username),
      name: optional(userFields.name),
      image: optional(userFields.image),
      directMessages: optional(directMessages),
      pushContent: optional(reachFields.pushContent),
      digest: optional(reachFields.digest),
      quietHours: optional(reachFields.quietHours),
      keywords: optional(reachFields.keywords),
      language: optional(reachFields.language),
    }),
    examples: { Example: { name: 'Ada King', image: 'https://example.com/ada.png' } },
    answer: person,
    // The error does not reveal who has the name.
    existing: async () => undefined,
    check({ body: { username, quietHours, keywords } }) {
      if (username !== undefined) requireUsername(username);
      if (quietHours && !isTimeZone(quietHours.timeZone))
        throw invalid('wrong_form', 'quietHours.timeZone', 'is not a time zone');
      if (keywords) requireKeywords(keywords);
    },
    target: ({ principal }) => Promise.resolve({ serverId: null, ownerId: principal.userId }),
    async run(call, { body }) {
      const { username, name, image, directMessages } = body;
      const { db, principal } = call;
      const found = await load(db, 'user', principal.userId);
      if (username !== undefined && username !== found.username) {
        // Only new names are checked: people who already have a reserved username keep it.
        requireOwnUsername(username);
        const account = await db.first(find('person', { id: found.id }));
        if (account) await takeRename(call, account);
      }
      const changes = {
        ...(username !== undefined && { username }),
        ...(name !== undefined && { name }),
        ...(image !== undefined && { image }),
      };
      await changeUser(call, found, changes);
      if (directMessages !== undefined && directMessages !== found.directMessages)
        await db.run(update('user', found.id, { directMessages }));
      await setReach(call, body);
      return personOf(db, found.id, provenAtOf(call));
    },
  }),
];
