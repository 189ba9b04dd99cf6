import type { RowOf } from '../../../db/schema.ts';
import { positionOfEventId } from '../../../feed/eventId.ts';
import type { Reader } from '../../../feed/reader.ts';

/** The fields of an event that a flow depends on. */
export interface ReadEvent {
  id: string;
  actorId: string | null;
  actor: string | null;
  at: number;
  data: { id?: string; userId?: string; channelId?: string | null };
}

/** A place in the log of a server. */
export type Place = Pick<RowOf<'flowState'>, 'cursor' | 'seq'>;

/** Moves a reader to a place, or past a gap in the log. */
export async function seek(reader: Reader, { cursor, seq }: Place): Promise<Place> {
  const gap = await reader.seek(cursor);
  if (gap) await reader.seek(gap.reason === 'expired' ? gap.oldest : gap.latest);
  return { cursor, seq };
}

/** The place up to which a reader has read. */
export const placeOf = (reader: Reader, { seq }: Place): Place => {
  const { cursor } = reader;
  return { cursor, seq: positionOfEventId(reader.logId, cursor)?.seq ?? seq };
};
