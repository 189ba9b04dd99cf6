import { type QuietHours, quietMinutes } from '../../../server/src/lib/quietHours.ts';
import type { ChannelReading, LiveEvent, Records, Unread } from '../../replica/types.ts';

/** The content of a browser notification. */
export interface Notifiable {
  readonly message: { id: string; serverId: string; channelId: string };
  readonly kind: 'message' | Exclude<Records['Notification']['type'], 'reaction' | 'report'>;
  readonly actorId: string;
  /**
   * Set for a notification about something the user set up, rather than about something another user wrote.
   */
  readonly ownId?: string;
}

/** The state that decides whether to notify. */
export interface Facts {
  userId: string;
  now: number;
  status: Records['OwnPresence']['status'] | undefined;
  reading: Pick<ChannelReading, 'level' | 'mutedUntil' | 'hidden'> | undefined;
  server: Pick<Unread, 'level' | 'mutedUntil'>;
  quietHours: QuietHours | null;
}

/**
 * Events older than this many ms do not trigger a browser notification. After a reconnect, for example,
 * older events only appear in the inbox and in the counts.
 */
const FRESH = 60_000;

/**
 * The notification for an event, or undefined if the user doesn't want one. At level `all`, users are notified of
 * others' messages outside threads and of inbox notifications, such as mentions. At `mentions`, and in channels
 * that they left, they are only notified of inbox notifications. At `nothing` and in muted channels, they are only
 * notified of their own reminders, failed scheduled messages and failed flows. In quiet hours and with the status
 * “do not disturb”, they are not notified at all. Reactions and reports only appear in the inbox.
 */
export function newsIn(
  event: LiveEvent,
  { userId, now, status, reading, server, quietHours }: Facts,
): Notifiable | undefined {
  const level = reading?.level ?? server.level ?? 'all';
  const isMuted = (reading?.mutedUntil ?? 0) > now || (server.mutedUntil ?? 0) > now;
  if (status === 'dnd' || quietMinutes(quietHours, now) > 0) return undefined;
  const isQuiet = level === 'nothing' || isMuted;
  if (event.type === 'message.created') {
    const { id, serverId, channelId, creatorId, type, threadId, createdAt } = event.data;
    if (isQuiet || level !== 'all' || reading?.hidden || creatorId === userId || type === 'system')
      return undefined;
    if (threadId !== null || now - createdAt > FRESH) return undefined;
    return { message: { id, serverId, channelId }, kind: 'message', actorId: creatorId };
  }
  if (event.type === 'notification.created') {
    const { messageId, serverId, channelId, type, actorId, readAt, createdAt } = event.data;
    if (type === 'reaction' || type === 'report' || event.data.userId !== userId) return undefined;
    const isOwn = type === 'reminder' || type === 'schedule' || type === 'flow';
    if ((isQuiet && !isOwn) || readAt !== null || now - createdAt > FRESH) return undefined;
    const message = { id: messageId, serverId, channelId };
    return { message, kind: type, actorId, ...(isOwn && { ownId: event.data.id }) };
  }
  return undefined;
}
