import type { RowOf } from '../../../db/schema.ts';
import { ApiError } from '../../../errors.ts';
import { positionOfEventId } from '../../../feed/eventId.ts';
import type { Reader } from '../../../feed/reader.ts';
import { asWhole, readFor } from '../../../feed/whole.ts';
import type { Services } from '../../../operations/services.ts';

/** Number of events per read from the log. */
const BATCH_EVENTS = 50;

/** The fields of an event that a flow depends on. */
export interface ReadEvent {
  id: string;
  actorId: string | null;
  actor: string | null;
  at: number;
  data: { id?: string; userId?: string; channelId?: string | null };
}

/** An event with its sequence number. */
export interface Logged {
  event: ReadEvent;
  seq: number;
}

/** A position in a server's log. */
export type Place = Pick<RowOf<'flowState'>, 'cursor' | 'seq'>;

/** Events, and the position up to which the log was read. */
interface Batch {
  read: Logged[];
  place: Place;
  /** Whether the end of the log was reached. */
  isEnd: boolean;
}

/**
 * Reads the events of a type after a position in the log of a flow's server, up to the end of the log, as the
 * flow's agent currently sees them. Stops early if the agent or its role was deleted.
 */
export async function* eventsAfter(
  { feed, authenticator }: Services,
  { id, serverId }: Pick<RowOf<'flow'>, 'id' | 'serverId'>,
  type: string,
  from: Place,
): AsyncGenerator<Batch> {
  const viewer = async () => (await authenticator.authenticateDigest('flow', id)).principal;
  const types = new Set([type]);
  const reader = await feed.reader(serverId, { types: readFor(types) }, viewer);
  try {
    await seek(reader, from);
    let { seq } = from;
    for (;;) {
      const events = await reader.next(BATCH_EVENTS).catch(noneWithoutAgent);
      if (!events) return;
      const { cursor } = reader;
      seq = positionOfEventId(serverId, cursor)?.seq ?? seq;
      const whole = events.flatMap((event) => asWhole(event, types, feed.events) ?? []);
      const read = whole.map(({ json, seq }) => ({ event: JSON.parse(json) as ReadEvent, seq }));
      const isEnd = events.length === 0 && reader.isAtEnd;
      yield { read, place: { cursor, seq }, isEnd };
      if (isEnd) return;
    }
  } finally {
    reader.close();
  }
}

/** Moves a reader to a position, or past a gap in the log. */
async function seek(reader: Reader, { cursor }: Place): Promise<void> {
  const gap = await reader.seek(cursor);
  if (gap) await reader.seek(gap.reason === 'expired' ? gap.oldest : gap.latest);
}

function noneWithoutAgent(error: unknown): undefined {
  if (!(error instanceof ApiError)) throw error;
}
