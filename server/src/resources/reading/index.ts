import type { Principal } from '../../access/principal.ts';
import { q } from '../../db/statements.ts';
import { invalid } from '../../errors.ts';
import { latestPosition } from '../../feed/positions.ts';
import { FIRST_ID, isId } from '../../lib/deps.ts';
import { Type } from '../../lib/schema.ts';
import { act } from '../../operations/act.ts';
import { sampleId } from '../../operations/examples.ts';
import { body, id, optional, reference, text, time } from '../../operations/fields.ts';
import { Joined } from '../../operations/joined.ts';
import { read } from '../../operations/read.ts';
import { ownServerId } from '../common.ts';
import { ServerStates } from '../serverState/serverState.ts';
import { snapshotPart } from '../snapshotPart.ts';
import { repliesAfter } from './counts.ts';
import { followingOperations } from './following.ts';
import { readServer, setWish } from './levels.ts';
import { markRead, markUnread, requireOnePlace } from './mark.ts';
import { markerOf } from './markers.ts';
import { placementOperations } from './placement.ts';
import {
  level,
  mark,
  marks,
  mutedUntil,
  reading,
  readingInServer,
  readServers,
  wish,
} from './readingRecords.ts';
import { countedIn, readingIn, readingOf, withConversations } from './state.ts';

/** Maximum markers per request. */
const MAX_PLACES = 100;
/**
 * Maximum servers marked as read per request, starting with those joined first. A stream of all servers has
 * the same limit.
 */
const MAX_SERVERS = 200;
/** Number of servers processed concurrently. */
const SERVERS_AT_ONCE = 50;

const place = {
  channelId: optional(reference('Required without threadId')),
  threadId: optional(reference('A thread instead of a channel')),
};

const listed = (noun: string) =>
  optional(
    text({
      max: 4000,
      description: `Only these ${noun}s, up to ${MAX_PLACES} ids separated by commas. Omits ${noun}s that you cannot see`,
      examples: [sampleId(noun)],
    }),
  );

/** Parses a comma-separated list of ids. Throws INVALID_REQUEST if there are too many. */
function idsIn(list: string | undefined, path: string): string[] | undefined {
  const given = list === undefined ? undefined : [...new Set(list.split(',').filter(Boolean))];
  if (given && given.length > MAX_PLACES) throw invalid('too_many', path, `must be at most ${MAX_PLACES}`);
  return given?.filter(isId);
}

/** Returns the principal. Throws INVALID_REQUEST if they do not act in a server. */
const inServer = (principal: Principal): Principal & { serverId: string } => ({
  ...principal,
  serverId: ownServerId(principal),
});

/** A snapshot excludes threads, because their number is not limited. */
export const readingPart = snapshotPart({
  schema: readingInServer,
  async read({ db, viewer, state, sight, conversations, place }) {
    const direct = conversations.map(({ id }) => id);
    const channelIds = withConversations(sight.channelIds, direct);
    const latest = new Map(conversations.map(({ id, latestMessageId }) => [id, latestMessageId ?? id]));
    const read = () => readingIn({ db, viewer, state, channelIds, latest, isWhole: true });
    const { reading, rows } = await countedIn(db, viewer.serverId, place, read);
    return { value: { ...reading }, rows };
  },
});

export const readingOperations = [
  read({
    operation: 'personReading',
    people: true,
    path: '/reading',
    tag: 'reading',
    kind: 'view',
    summary: 'Get your reading state in a server',
    description:
      'Returns the read markers, unread counts, mention counts and notification levels of all channels that you can see and of your latest direct messages, and your drafts. The cost does not grow with the number of messages. Messages sent before you joined count as read. `threadIds` adds threads.',
    visible: 'person',
    query: Type.Object({ channelIds: listed('channel'), threadIds: listed('thread') }),
    answer: reading,
    target: ({ principal }) => ({ serverId: ownServerId(principal), ownerId: principal.userId }),
    async run({ db, principal, services }, { query }) {
      const viewer = inServer(principal);
      const states = ServerStates.of(services.db);
      const threadIds = idsIn(query.threadIds, 'threadIds') ?? [];
      const channelIds = idsIn(query.channelIds, 'channelIds');
      const place = await latestPosition(db, viewer.serverId);
      let threads: object[] = [];
      const { reading, rows } = await countedIn(db, viewer.serverId, place, async () => {
        const [state, ...found] = await Promise.all([
          readingOf(db, states, viewer, { only: channelIds, place }),
          ...threadIds.map((threadId) => markerOf(db, viewer, { threadId })),
        ]);
        const marked = found.flatMap((one) =>
          one && one.threadId !== null ? [{ ...one, threadId: one.threadId }] : [],
        );
        const unread = await repliesAfter(db, viewer.userId, marked);
        threads = marked.map((thread) => ({ ...thread, unread: unread.get(thread.threadId) ?? 0 }));
        return state;
      });
      return new Joined({ rows }, { ...reading, threads });
    },
  }),

  act({
    operation: 'personRead',
    people: true,
    method: 'POST',
    path: '/reading/marks',
    resource: 'reading',
    verb: 'update',
    summary: 'Mark channels and threads as read',
    description: `Moves up to ${MAX_PLACES} markers forward in one transaction. Markers never move back. Pass \`unreadAt\` to keep a late request from undoing "mark as unread".`,
    body: body({
      marks: Type.Array(
        Type.Object({
          ...place,
          messageId: id('The last message that you have read'),
          unreadAt: optional(time('The `unreadAt` of the marker that you last saw')),
        }),
        { minItems: 1, maxItems: MAX_PLACES },
      ),
    }),
    examples: {
      Example: { marks: [{ channelId: sampleId('channel'), messageId: sampleId('message') }] },
    },
    answer: marks,
    check({ body }) {
      for (const [index, mark] of body.marks.entries()) requireOnePlace(mark, `marks.${index}.`);
    },
    // Marks are queued with the server's writes, so that all concurrent marks share a transaction.
    run: async ({ write, principal }, { body }) => ({
      data: await write(async (call) => {
        const moved: object[] = [];
        for (const [index, request] of body.marks.entries())
          moved.push(await markRead(call, request, `marks.${index}.`));
        return { marks: moved };
      }, principal.serverId ?? undefined),
    }),
  }),

  act({
    operation: 'personUnread',
    people: true,
    method: 'POST',
    path: '/reading/unread',
    resource: 'reading',
    verb: 'update',
    summary: 'Mark messages as unread',
    description:
      'Marks this message and all later ones as unread. Afterwards, `POST /reading/marks` with an earlier `unreadAt` has no effect.',
    body: body({ ...place, messageId: id('The first unread message') }),
    examples: { Example: { channelId: sampleId('channel'), messageId: sampleId('message') } },
    answer: mark,
    check: ({ body }) => requireOnePlace(body),
    run: async ({ write, principal }, { body }) => ({
      data: await write((call) => markUnread(call, body), principal.serverId ?? undefined),
    }),
  }),

  act({
    operation: 'personReadAll',
    people: true,
    method: 'POST',
    path: '/reading/all',
    resource: 'reading',
    verb: 'update',
    summary: 'Mark everything as read',
    description: `Marks everything as read in one server, or in all your servers, up to the ${MAX_SERVERS} that you joined first.`,
    body: body({ serverId: optional(reference('All your servers by default')) }),
    answer: readServers,
    async run({ db, principal, write }, { body }) {
      let mine = q
        .selectFrom('serverMember')
        .innerJoin('server', 'server.id', 'serverMember.serverId')
        .select('serverMember.serverId')
        .where('serverMember.userId', '=', principal.userId)
        .where('server.deletedAt', 'is', null)
        .orderBy('serverMember.id')
        .limit(MAX_SERVERS);
      if (body.serverId !== undefined)
        mine = mine.where('server.id', '=', isId(body.serverId) ? body.serverId : FIRST_ID);
      const serverIds = (await db.all(mine)).map(({ serverId }) => serverId);
      const servers: object[] = [];
      for (let first = 0; first < serverIds.length; first += SERVERS_AT_ONCE) {
        const some = serverIds.slice(first, first + SERVERS_AT_ONCE);
        servers.push(...(await Promise.all(some.map((id) => write((call) => readServer(call, id), id)))));
      }
      return { data: { servers } };
    },
  }),

  act({
    operation: 'personLevel',
    people: true,
    path: '/reading/level',
    resource: 'reading',
    verb: 'update',
    summary: 'Set a notification level',
    description:
      "Sets the level of a channel or, without `channelId`, of the server. In a channel, null means the server's level, which is `all` by default. Clients use it to decide which notifications to show, and the server uses it to decide which ones to send to devices and by email. Notifications are created and listed regardless, except those of type `direct` for direct messages that you muted or set to `nothing`.",
    body: body({
      channelId: optional(reference()),
      level: optional(level),
      mutedUntil: optional(mutedUntil),
    }),
    examples: { 'Only mentions': { channelId: sampleId('channel'), level: 'mentions' } },
    answer: wish,
    target: ({ principal }) => ({ serverId: ownServerId(principal), ownerId: principal.userId }),
    run: async ({ write, principal }, { body }) => ({
      data: await write((call) => setWish(call, ownServerId(principal), body), ownServerId(principal)),
    }),
  }),

  ...placementOperations,
  ...followingOperations,
];
