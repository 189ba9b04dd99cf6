import type { Principal } from '../../access/principal.ts';
import { insert, prepare, q, update } from '../../db/statements.ts';
import { ApiError } from '../../errors.ts';
import type { WriteCall } from '../../operations/call.ts';
import type { ChannelFacts } from './load.ts';

const paceOf = prepare((p: { channelId: string; userId: string }) =>
  q
    .selectFrom('pace')
    .select(['id', 'sentAt'])
    .where('channelId', '=', p.channelId)
    .where('userId', '=', p.userId),
);

/**
 * Whether the caller is exempt from slow mode. Agents are exempt because they have their own rate limits, and
 * moderators because they must be able to calm a channel.
 */
const isExempt = ({ flags, userType, isServerCreator }: Principal): boolean =>
  userType === 'agent' || isServerCreator || flags.has('canModerate');

/**
 * Records that the caller sends a message in a channel with slow mode. Throws RATE_LIMITED if their last one
 * was sent too recently. Writes to a server run one after another, so two nodes never both accept a
 * message.
 */
export async function keepPace(
  { db, now, newRow, principal }: Pick<WriteCall, 'db' | 'now' | 'newRow' | 'principal'>,
  { id: channelId, slowSeconds }: ChannelFacts,
): Promise<void> {
  if (slowSeconds === 0 || isExempt(principal)) return;
  const { userId } = principal;
  const last = await db.first(paceOf({ channelId, userId }));
  // A time in the future was recorded before the clock was set back.
  const ago = last ? now - last.sentAt : Number.POSITIVE_INFINITY;
  const wait = ago < 0 ? 0 : Math.ceil((slowSeconds * 1_000 - ago) / 1_000);
  if (wait > 0)
    throw new ApiError(
      'RATE_LIMITED',
      `slow mode: one message in ${slowSeconds} s in this channel. Retry in ${wait} s`,
      undefined,
      { 'retry-after': String(wait) },
    );
  if (last) await db.run(update('pace', last.id, { sentAt: now }));
  else await db.run(insert('pace', { id: newRow().id, channelId, userId, sentAt: now }));
}
