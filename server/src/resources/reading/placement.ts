import { sql } from 'kysely';
import { prepare, q } from '../../db/statements.ts';
import { invalid, notFound } from '../../errors.ts';
import { act } from '../../operations/act.ts';
import type { WriteCall } from '../../operations/call.ts';
import { sampleId } from '../../operations/examples.ts';
import { body, optional, reference } from '../../operations/fields.ts';
import { ownServerId } from '../common.ts';
import { isMember } from '../serverMember/join.ts';
import { requireMarker } from './mark.ts';
import { noMark } from './markers.ts';
import { favorite, hidden, placement, placementEvents } from './readingRecords.ts';

const ofChannel = prepare((p: { channelId: string; userId: string; favorite: boolean; hidden: boolean }) =>
  q
    .insertInto('channelReading')
    .values({
      ...noMark,
      channelId: p.channelId,
      userId: p.userId,
      favorite: p.favorite,
      hidden: p.hidden,
    })
    .onConflict((conflict) =>
      conflict.columns(['channelId', 'userId']).doUpdateSet({
        favorite: sql<boolean>`excluded.favorite`,
        hidden: sql<boolean>`excluded.hidden`,
      }),
    ),
);

interface Placed {
  channelId: string;
  favorite?: boolean;
  hidden?: boolean;
}

/** Throws NOT_FOUND unless the person is a member who can see the channel. */
async function place(call: WriteCall, serverId: string, { channelId, ...change }: Placed): Promise<object> {
  const { db, principal, tell } = call;
  const { userId } = principal;
  // If the person has left in the meantime, nothing would ever delete the row.
  if (!(await isMember(db, serverId, userId))) throw notFound('server');
  const found = await requireMarker(call, { channelId });
  if (change.hidden && found.isDirect)
    throw invalid('wrong_kind', 'hidden', 'must be false for direct messages');
  const set = {
    channelId,
    userId,
    // Leaving a channel removes it from the favorites.
    favorite: change.favorite ?? (found.favorite && !change.hidden),
    hidden: change.hidden ?? (found.hidden && !change.favorite),
  };
  if (set.favorite && set.hidden) throw invalid('not_together', 'hidden', 'cannot be combined with favorite');
  if (set.favorite !== found.favorite || set.hidden !== found.hidden) await db.run(ofChannel(set));
  const placed = { ...set, serverId: found.serverId };
  tell(placementEvents.updated, placed);
  return placed;
}

export const placementOperations = [
  act({
    operation: 'personChannel',
    people: true,
    path: '/reading/channel',
    resource: 'reading',
    verb: 'update',
    summary: 'Favorite, leave or join a channel',
    description:
      'Leaving hides a channel from your list and stops its notifications, except those of messages that mention you by name. It does not change what you can see. Leaving also removes the channel from your favorites, and adding a channel to your favorites joins it. Direct messages cannot be left.',
    body: body({
      channelId: reference(),
      favorite: optional(favorite),
      hidden: optional(hidden),
    }),
    examples: {
      Favorite: { channelId: sampleId('channel'), favorite: true },
      Leave: { channelId: sampleId('channel'), hidden: true },
    },
    answer: placement,
    target: ({ principal }) => ({ serverId: ownServerId(principal), ownerId: principal.userId }),
    run: async ({ write, principal }, { body }) => ({
      data: await write((call) => place(call, ownServerId(principal), body), ownServerId(principal)),
    }),
  }),
];
