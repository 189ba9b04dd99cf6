import type { ChannelReading, Unread } from '../../replica/types.ts';

/** Later than any client will live: the API has times, and no "for ever". */
export const ALWAYS = Date.UTC(9000, 0);

/** Whether messages of a channel are to stay quiet: muted, or at the level `mentions` or `nothing`, by itself or by its server. */
export function isMuted(
  channel: Pick<ChannelReading, 'level' | 'mutedUntil'> | undefined,
  server: Pick<Unread, 'level' | 'mutedUntil'>,
  now: number,
): boolean {
  const level = channel?.level ?? server.level ?? 'all';
  return level === 'nothing' || (channel?.mutedUntil ?? 0) > now || (server.mutedUntil ?? 0) > now;
}
