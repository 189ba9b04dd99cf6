import type { Principal } from '../../access/principal.ts';
import type { Reader } from '../../db/contract.ts';
import { find } from '../../db/statements.ts';
import { eventsOf } from '../../feed/eventKind.ts';
import { Type } from '../../lib/schema.ts';
import { act } from '../../operations/act.ts';
import { body, flag, id } from '../../operations/fields.ts';
import { read } from '../../operations/read.ts';
import { ownServerId } from '../common.ts';
import { threadTarget } from '../message/load.ts';
import { follow, unfollow } from '../thread/change.ts';
import { requireMarker } from './mark.ts';

const following = flag('Whether new replies notify you');

const state = Type.Object(
  { serverId: id(), userId: id(), threadId: id(), following },
  { $id: 'Following', title: 'Following', additionalProperties: false },
);

/**
 * Live events for explicit requests to follow or unfollow. A reply also makes its author follow the thread,
 * but emits only the events for a reply.
 */
export const followingEvents = eventsOf(
  'following',
  { data: state, audience: 'person', live: 'person' },
  { updated: 'You followed or unfollowed a thread' },
);

async function stateOf(db: Reader, principal: Principal, threadId: string) {
  const { userId } = principal;
  const found = await db.first(find('threadFollower', { threadId, userId }));
  return { serverId: ownServerId(principal), userId, threadId, following: found !== undefined };
}

/** Operations for following a thread. A follower is notified of new replies. */
export const followingOperations = [
  read({
    operation: 'threadFollowing',
    people: true,
    path: '/threads/:id/following',
    tag: 'reading',
    kind: 'view',
    summary: 'Check whether you follow a thread',
    description:
      'A thread is followed by the user who started it, by the author of its root message, and by everyone who replied in it.',
    visible: 'channel',
    answer: state,
    target: ({ db }, { params }) => threadTarget(db, params.id),
    async run({ db, principal }, { params }, target) {
      await target;
      return stateOf(db, principal, params.id);
    },
  }),

  act({
    operation: 'threadFollow',
    people: true,
    path: '/threads/:id/following',
    resource: 'reading',
    verb: 'update',
    summary: 'Follow or unfollow a thread',
    description: 'If you reply in the thread, you follow it again.',
    body: body({ following }),
    examples: { Example: { following: true } },
    answer: state,
    target: ({ principal }) => ({ serverId: ownServerId(principal), ownerId: principal.userId }),
    run: async ({ write, principal }, { params, body }) => ({
      data: await write(async (call) => {
        const threadId = params.id;
        await requireMarker(call, { threadId });
        if (body.following) await follow(call, threadId, [principal.userId]);
        else await unfollow(call, threadId, principal.userId);
        const state = await stateOf(call.db, principal, threadId);
        call.tell(followingEvents.updated, state);
        return state;
      }, ownServerId(principal)),
    }),
  }),
];
