import type { Reader } from '../db/contract.ts';
import { find, insert, q, update } from '../db/statements.ts';
import { isMemberInSight } from '../db/sweep.ts';
import { invalid } from '../errors.ts';
import { eventsOf } from '../feed/eventKind.ts';
import { shownOf } from '../feed/presenceRows.ts';
import { isId } from '../lib/deps.ts';
import { Type } from '../lib/schema.ts';
import { act } from '../operations/act.ts';
import { sampleId } from '../operations/examples.ts';
import { body, flag, id, nullable, oneOf, optional, text, time } from '../operations/fields.ts';
import { read } from '../operations/read.ts';
import { ownServerId, ownTarget, touched } from './common.ts';

/** Maximum users per request. */
const MAX_USERS = 100;

const words = nullable(text({ max: 100, examples: ['On holiday'] }));
const textUntil = nullable(time('When the text expires; null for never'));

const shown = Type.Object(
  {
    userId: id(),
    status: oneOf(['online', 'idle', 'dnd', 'offline'], '`dnd` means "do not disturb"'),
    text: words,
    textUntil,
  },
  { $id: 'Presence', title: 'Presence', additionalProperties: false },
);

const presences = Type.Object(
  { serverId: id(), people: Type.Array(shown) },
  { $id: 'Presences', title: 'Presences', additionalProperties: false },
);

const changed = Type.Object(
  {
    ...presences.properties,
    isWhole: flag(
      'False if too many statuses have changed to list them all. `people` is then empty; request the people that you display',
      true,
    ),
  },
  { $id: 'ChangedPresences', title: 'ChangedPresences', additionalProperties: false },
);

const status = oneOf(
  ['online', 'idle', 'dnd', 'invisible'],
  'Your status while you have an event stream open. `invisible` is shown as offline',
);

const own = Type.Object(
  { userId: id(), status, text: words, textUntil },
  { $id: 'OwnPresence', title: 'OwnPresence', additionalProperties: false },
);

export const presenceEvents = eventsOf(
  'presence',
  { data: changed, audience: 'member', live: 'plain' },
  { updated: 'Members came online, went offline or changed their status' },
);

/** Returns a person's own presence settings. */
async function ownOf(db: Reader, userId: string) {
  const found = await db.first(find('presence', { id: userId }));
  const { status = 'online', text = null, textUntil = null } = found ?? {};
  return { userId, status, text, textUntil };
}

export const presenceOperations = [
  read({
    operation: 'presences',
    people: true,
    path: '/presence',
    tag: 'presence',
    summary: 'List online members',
    description: `A member is online while they have an event stream open, and for ten seconds after it closes. If a node fails, its users stay online for up to a minute.`,
    visible: 'member',
    query: Type.Object({
      userIds: text({
        min: 1,
        max: 4000,
        description: `Only these members, up to ${MAX_USERS} ids separated by commas. Other ids are ignored`,
        examples: [sampleId('user')],
      }),
    }),
    answer: presences,
    target({ principal }, { query: { userIds } }) {
      if (userIds.split(',').length > MAX_USERS)
        throw invalid('too_many', 'userIds', `must be at most ${MAX_USERS}`);
      return { serverId: ownServerId(principal) };
    },
    async run({ db, principal, now }, { query }) {
      const serverId = ownServerId(principal);
      const known = query.userIds.split(',').filter(isId);
      const members =
        known.length === 0
          ? []
          : await db.all(
              q
                .selectFrom('serverMember')
                .select('userId')
                .where('serverId', '=', serverId)
                .where('userId', 'in', known)
                .where(isMemberInSight),
            );
      const userIds = members.map(({ userId }) => userId);
      const people = userIds.length === 0 ? [] : await shownOf(db, userIds, now);
      return { serverId, people: people.sort((one, other) => (one.userId < other.userId ? -1 : 1)) };
    },
  }),

  read({
    operation: 'ownPresence',
    people: true,
    path: '/presence/me',
    tag: 'presence',
    summary: 'Get your status',
    visible: 'person',
    answer: own,
    target: ownTarget,
    run: ({ db, principal }) => ownOf(db, principal.userId),
  }),

  act({
    operation: 'presenceSave',
    people: true,
    path: '/presence/me',
    resource: 'presence',
    verb: 'update',
    summary: 'Set your status',
    description: 'The status applies to all your servers.',
    body: body({ status: optional(status), text: optional(words), textUntil: optional(textUntil) }),
    examples: { Example: { status: 'dnd', text: 'On holiday' } },
    answer: own,
    async run({ writeOnAccount, principal, services }, { body }) {
      const { userId } = principal;
      // Changes are serialized per person, so that two concurrent first changes do not both insert the row.
      const data = await writeOnAccount(userId, async ({ db, newRow, now }) => {
        const found = await db.first(find('presence', { id: userId }));
        const { text } = body;
        const set = {
          ...(body.status !== undefined && { status: body.status }),
          // A new text does not keep the previous text's expiry.
          ...(text !== undefined && { text: text === '' ? null : text, textUntil: null }),
          ...(body.textUntil !== undefined && { textUntil: body.textUntil }),
        };
        if (found) await db.run(update('presence', userId, { ...set, updatedAt: touched(found, now) }));
        else {
          const fresh = { status: 'online', text: null, textUntil: null } as const;
          await db.run(insert('presence', { ...newRow(), ...fresh, ...set, id: userId }));
        }
        return ownOf(db, userId);
      });
      services.feed.presences.changed(userId);
      return { data };
    },
  }),
];
