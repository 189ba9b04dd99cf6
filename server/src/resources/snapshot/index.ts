import { seesChannel } from '../../access/visibility.ts';
import type { Reader } from '../../db/contract.ts';
import { find, q } from '../../db/statements.ts';
import { notFound } from '../../errors.ts';
import { eventIdOf } from '../../feed/eventId.ts';
import { latestPlace } from '../../feed/places.ts';
import { isId } from '../../lib/deps.ts';
import { flagNames } from '../../lib/flags.ts';
import { Type } from '../../lib/schema.ts';
import { flag, optional, reference } from '../../operations/fields.ts';
import { read } from '../../operations/read.ts';
import { channelTarget } from '../channel.ts';
import { toServer } from '../server/record.ts';
import { toMember } from '../serverMember/record.ts';
import { toThread } from '../thread/record.ts';
import { toUser, usersBeside } from '../user.ts';
import { readParts } from './parts.ts';
import { snapshot, view } from './record.ts';
import { standingIn } from './standing.ts';
import { requirePlace, windowOf } from './window.ts';

/** Messages of a window, at most, and unless the request says otherwise. */
const MAX_WINDOW = 100;
const USUAL_WINDOW = 50;

/** The cursor after the latest event of a server. */
const cursorOf = async (db: Reader, serverId: string): Promise<string> =>
  eventIdOf(serverId, await latestPlace(db, serverId));

const within = (name: 'reaction' | 'thread' | 'pin', messageIds: readonly string[]) =>
  q.selectFrom(name).selectAll().where('messageId', 'in', messageIds).orderBy('id');

export const snapshotOperations = [
  read({
    operation: 'serverSnapshot',
    people: true,
    path: '/servers/:id/snapshot',
    tag: 'snapshot',
    kind: 'view',
    summary: 'All that a client needs for its first picture of a server',
    description:
      'With the cursor of the log of the server at which it was taken. It does not grow with members or messages: read these in pages, and by views. Any session of a member may read it, in whichever server it acts.',
    visible: 'member',
    answer: snapshot,
    async target({ db, principal: { userId } }, { params: { id } }) {
      if (!isId(id)) throw notFound('server');
      // First: whatever is in the log up to here shows in all that is read later.
      const cursor = await cursorOf(db, id);
      const found = await standingIn(db, id, userId);
      return { ...found, cursor, serverId: found.member ? id : null, open: found.member !== undefined };
    },
    async run({ db, now, limits }, { params: { id: serverId } }, target) {
      const { cursor, server, user, member, roles, principal } = await target;
      const all = await db.all(find('channel', { serverId }));
      const channels = all
        .filter((channel) => seesChannel(principal, channel))
        .sort((one, other) => one.position - other.position || (one.id < other.id ? -1 : 1));
      const { isSignedIn: _isSignedIn, flags, ...standing } = principal;
      const of = { db, now, serverId, userId: user.id, viewer: { ...principal, serverId }, channels, roles };
      return {
        cursor,
        server: toServer(server),
        user: toUser(user),
        member: toMember(member as object),
        standing: { ...standing, flags: flagNames.filter((name) => flags.has(name)) },
        limits,
        ...(await readParts(of)),
      };
    },
  }),

  read({
    operation: 'channelView',
    people: true,
    path: '/channels/:id/view',
    tag: 'snapshot',
    kind: 'view',
    summary: 'A window of messages, with all that shows beside them',
    description:
      'The latest messages, or those at a place: the id of a message, which may be deleted by now. With replies in threads, unless `isThreadReply` is false.',
    visible: 'channel',
    query: Type.Object({
      around: optional(reference('This message, with those before and after it, about half each')),
      before: optional(reference('The messages before this one')),
      after: optional(reference('The messages after this one')),
      isThreadReply: optional(flag('Only replies in threads, or only other messages; both if left out')),
      limit: optional(
        Type.Integer({
          minimum: 1,
          maximum: MAX_WINDOW,
          default: USUAL_WINDOW,
          description: 'Messages, at most',
        }),
      ),
    }),
    answer: view,
    target({ db }, { params, query }) {
      requirePlace(query);
      return channelTarget(db, params.id);
    },
    async run({ db, principal }, { params: { id }, query }, target) {
      const { serverId, channel } = await target;
      const cursor = await cursorOf(db, serverId);
      const { messages, before, after } = await windowOf(db, id, query, channel.isBeingSwept);
      const ids = messages.map((message) => message.id);
      const authors = [...new Set(messages.map(({ creatorId }) => creatorId))];
      const [users, reactions, threads, pins] = await Promise.all([
        usersBeside(db, principal, authors),
        ids.length === 0 ? [] : db.all(within('reaction', ids).where('userId', '=', principal.userId)),
        ids.length === 0 ? [] : db.all(within('thread', ids)),
        ids.length === 0 ? [] : db.all(within('pin', ids)),
      ]);
      return {
        ...{ cursor, messages, before, after },
        users: Object.values(users),
        reactions,
        threads: threads.map(toThread),
        pins,
      };
    },
  }),
];
