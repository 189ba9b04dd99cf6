import type { ChannelReading, LiveEvent, Records, Unread } from '../../replica/types.ts';

/** What is told about a message by the browser. */
export interface Notifiable {
  readonly message: { id: string; serverId: string; channelId: string };
  readonly kind: 'message' | 'mention' | 'reply' | 'thread';
  readonly actorId: string;
}

/** What decides whether something is told. */
export interface Facts {
  userId: string;
  /** In ms. */
  now: number;
  /** One's own status. */
  status: Records['OwnPresence']['status'] | undefined;
  reading: Pick<ChannelReading, 'level' | 'mutedUntil'> | undefined;
  server: Pick<Unread, 'level' | 'mutedUntil'>;
}

/** After a pause, what is older than so many ms is in the inbox and in the counts; it is not told. */
const FRESH = 60_000;

/**
 * The news in an event, if the person wants to be told of it: in a channel of the level `all` any message of another; at `mentions` what
 * concerns them; at `nothing`, in a muted channel, and while they are not to be disturbed, nothing.
 */
export function newsIn(
  event: LiveEvent,
  { userId, now, status, reading, server }: Facts,
): Notifiable | undefined {
  const level = reading?.level ?? server.level ?? 'all';
  const isMuted = (reading?.mutedUntil ?? 0) > now || (server.mutedUntil ?? 0) > now;
  if (level === 'nothing' || isMuted || status === 'dnd') return undefined;
  if (event.type === 'message.created') {
    const { id, serverId, channelId, creatorId, type, threadId, createdAt } = event.data;
    if (level !== 'all' || creatorId === userId || type === 'system') return undefined;
    if (threadId !== null || now - createdAt > FRESH) return undefined;
    return { message: { id, serverId, channelId }, kind: 'message', actorId: creatorId };
  }
  if (event.type === 'notification.created') {
    const { messageId, serverId, channelId, type, actorId, readAt, createdAt } = event.data;
    if (event.data.userId !== userId || readAt !== null || now - createdAt > FRESH) return undefined;
    return { message: { id: messageId, serverId, channelId }, kind: type, actorId };
  }
  return undefined;
}
