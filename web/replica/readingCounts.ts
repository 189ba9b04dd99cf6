import type { Replica } from './replica.ts';
import type { ChannelReading, Level, Line, Unread } from './types.ts';

/** Counts stop here: 1,000 means 1,000 or more. */
export const MOST = 1_000;

/** True if a channel only shows mentions: it was left, it or its server is muted, or its level is `nothing`. */
function isQuiet(
  row: Pick<ChannelReading, 'level' | 'mutedUntil' | 'hidden'>,
  server: { level: Level; mutedUntil: number | null },
  now: number,
): boolean {
  const level = row.level ?? server.level ?? 'all';
  const isMuted = (row.mutedUntil ?? 0) > now || (server.mutedUntil ?? 0) > now;
  return row.hidden || isMuted || level === 'nothing';
}

/** The unread totals of a server with these channels. */
export function totalOf(
  rows: readonly ChannelReading[],
  isDirect: (channelId: string) => boolean,
  { notifications, level, mutedUntil }: Pick<Unread, 'notifications' | 'level' | 'mutedUntil'>,
  now: number,
): Unread {
  let [unread, mentions, direct] = [0, 0, 0];
  for (const row of rows) {
    const count = isQuiet(row, { level, mutedUntil }, now) ? 0 : row.unread;
    unread += count;
    if (isDirect(row.channelId)) direct += count;
    else mentions += row.mentions;
  }
  return { unread, mentions: mentions + direct, direct, notifications, level, mutedUntil };
}

/**
 * Counts other users' messages after a marker, in a line that reaches the latest message. Returns null if not
 * all of them are cached.
 */
export function afterMark(line: Line | undefined, messageId: string, replica: Replica): number | null {
  if (!line?.atEnd || (!line.atStart && (line.ids[0] ?? '~') > messageId)) return null;
  let count = 0;
  for (let at = line.ids.length - 1; at >= 0 && count < MOST; at--) {
    const id = line.ids[at] as string;
    if (id <= messageId) break;
    if (replica.row('message', id)?.creatorId !== replica.userId) count++;
  }
  return count;
}
