import type { Level } from '../../db/tables/channelReading.ts';
import type { RowsPart } from '../../operations/joined.ts';
import type { Counts } from './counts.ts';
import { noMark } from './markers.ts';

/** A person's marker and settings in a channel, from a row of `channelReading`. */
export interface OwnMark {
  messageId: string | null;
  unreadAt: number;
  level: Level | null;
  mutedUntil: number | null;
  favorite: boolean;
  hidden: boolean;
}

interface RowsOf {
  /** The channels, ordered by id, and their markers and counts. */
  channelIds: readonly string[];
  markers: readonly string[];
  counts: Counts;
  /** The person's rows, by channel. */
  marks: ReadonlyMap<string, OwnMark>;
}

const settingsOf = ({ level, mutedUntil, favorite, hidden }: Omit<OwnMark, 'messageId' | 'unreadAt'>) =>
  `,"level":${JSON.stringify(level)},"mutedUntil":${mutedUntil},"favorite":${Boolean(favorite)},"hidden":${Boolean(hidden)}}`;

const noSettings = settingsOf(noMark);

/**
 * Serializes the reading states of channels (`ChannelReading` in readingRecords.ts), without creating an
 * object for each channel.
 */
export function rowsOf({ channelIds, markers, counts, marks }: RowsOf): RowsPart {
  let text = '';
  for (let at = 0; at < channelIds.length; at++) {
    const channelId = channelIds[at] as string;
    const own = marks.get(channelId);
    text += `${at === 0 ? '' : ','}{"channelId":"${channelId}","messageId":"${markers[at]}","unreadAt":${own?.unreadAt ?? 0}`;
    text += `,"unread":${counts.unread[at]},"mentions":${counts.mentions[at]}`;
    text += own ? settingsOf(own) : noSettings;
  }
  return { field: 'channels', text };
}
