import type { Reader } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { prepare, q } from '../../db/statements.ts';
import type { Work } from '../../operations/work.ts';
import type { ChannelFacts } from './load.ts';

/** Maximum followers of a thread to notify per reply. */
const MAX_FOLLOWERS = 500;

export type Reason = RowOf<'notification'>['type'];

/** The message to which another message replies. */
export type Answered = Pick<RowOf<'message'>, 'creatorId'> | undefined;

/** Returns the given users who left the channel. These users are notified only of mentions of their names. */
export async function leftAmong(
  db: Reader,
  { id: channelId, memberIds }: Pick<ChannelFacts, 'id' | 'memberIds'>,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (memberIds || userIds.length === 0) return new Set();
  const rows = await db.all(
    q
      .selectFrom('channelReading')
      .select('userId')
      .where('channelId', '=', channelId)
      .where('userId', 'in', userIds)
      .where('hidden', '=', true),
  );
  return new Set(rows.map(({ userId }) => userId));
}

const followers = prepare((p: { threadId: string }) =>
  q
    .selectFrom('threadFollower')
    .select('userId')
    .where('threadId', '=', p.threadId)
    .orderBy('userId')
    .limit(MAX_FOLLOWERS),
);

/**
 * Returns the users to notify of a message for a reason other than a mention. `replyTo` is the message to
 * which it replies.
 */
export async function otherReasons(
  { db, now }: Pick<Work, 'db' | 'now'>,
  threadId: string | null,
  channel: ChannelFacts,
  replyTo: Answered | Promise<Answered>,
): Promise<Map<string, Reason>> {
  const [direct, following, answered] = await Promise.all([
    unmuted(db, channel, now),
    threadId === null ? [] : db.all(followers({ threadId })),
    replyTo,
  ]);
  const reasons = new Map<string, Reason>(direct.map((userId) => [userId, 'direct']));
  for (const { userId } of following) reasons.set(userId, 'thread');
  if (answered) reasons.set(answered.creatorId, 'reply');
  return reasons;
}

const mutes = (p: { channelId: string; memberIds: readonly string[]; now: number }) =>
  q
    .selectFrom('channelReading')
    .select('userId')
    .where('channelId', '=', p.channelId)
    .where('userId', 'in', p.memberIds)
    .where((eb) => eb.or([eb('level', '=', 'nothing'), eb('mutedUntil', '>', p.now)]));

/** Returns the members of a direct message who have not muted it; nobody in other channels. */
async function unmuted(
  db: Reader,
  { id: channelId, memberIds }: ChannelFacts,
  now: number,
): Promise<string[]> {
  if (!memberIds) return [];
  const muted = await db.all(mutes({ channelId, memberIds, now }));
  return memberIds.filter((id) => !muted.some(({ userId }) => userId === id));
}
