import type { Level } from '../../db/tables/channelReading.ts';
import { RowsPart } from '../../operations/joined.ts';
import { MOST } from '../serverState/channelCounts.ts';
import type { Counts } from './counts.ts';
import { noMark } from './markers.ts';

/** A person's row in a channel. */
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

const countCell = (unread: number, mentions: number): string => `,"unread":${unread},"mentions":${mentions}`;

/** The cells for counts without mentions. */
const countCells: string[] = [];

function countsCell(unread: number, mentions: number): string {
  if (mentions > 0 || unread > MOST) return countCell(unread, mentions);
  countCells[unread] ??= countCell(unread, 0);
  return countCells[unread] as string;
}

/**
 * Serializes the reading states of channels (`ChannelReading` in readingRecords.ts), without an object for
 * each. The cells of most rows are the same strings.
 */
export function rowsOf({ channelIds, markers, counts, marks }: RowsOf): RowsPart {
  let text = '';
  let [marker, markCell] = ['', ''];
  for (let at = 0; at < channelIds.length; at++) {
    const channelId = channelIds[at] as string;
    const own = marks.size > 0 ? marks.get(channelId) : undefined;
    if (markers[at] !== marker) {
      marker = markers[at] as string;
      markCell = cellOf(marker, 0);
    }
    text += at === 0 ? '{"channelId":"' : ',{"channelId":"';
    text += channelId;
    text += own && own.unreadAt > 0 ? cellOf(marker, own.unreadAt) : markCell;
    text += countsCell(counts.unread[at] as number, counts.mentions[at] as number);
    text += own ? settingsOf(own) : noSettings;
  }
  return new RowsPart('channels', text);
}

const cellOf = (marker: string, unreadAt: number): string =>
  `","messageId":"${marker}","unreadAt":${unreadAt}`;
