import type { Replica } from './replica.ts';
import type { ChannelReading, Level, Line } from './types.ts';

/** Counts stop here: 1,000 means 1,000 or more. */
export const MOST = 1_000;

/** True if a channel only shows mentions, because it is muted or its level is below all messages. */
export function isQuiet(
  row: Pick<ChannelReading, 'level' | 'mutedUntil'>,
  server: { level: Level; mutedUntil: number | null },
  now: number,
): boolean {
  const level = row.level ?? server.level ?? 'all';
  const isMuted = (row.mutedUntil ?? 0) > now || (server.mutedUntil ?? 0) > now;
  return isMuted || level === 'nothing';
}

/**
 * Counts other users' messages after a marker, in a line that reaches the end. Returns null if not all of
 * them are cached.
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
