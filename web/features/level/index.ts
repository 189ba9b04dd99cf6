import type { ChannelReading, Unread } from '../../replica/types.ts';

/** A time in the far future: the API has no value for "forever". */
export const ALWAYS = Date.UTC(9000, 0);

/**
 * True if messages in a channel don't notify the user: the channel or its server is muted, or its level
 * (its own or the server's) is `nothing`.
 */
export function isMuted(
  channel: Pick<ChannelReading, 'level' | 'mutedUntil'> | undefined,
  server: Pick<Unread, 'level' | 'mutedUntil'>,
  now: number,
): boolean {
  const level = channel?.level ?? server.level ?? 'all';
  return level === 'nothing' || (channel?.mutedUntil ?? 0) > now || (server.mutedUntil ?? 0) > now;
}
