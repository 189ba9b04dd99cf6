import { sql } from 'kysely';
import type { Reader as DbReader, Reads } from '../db/contract.ts';
import { prepareKnown } from '../db/known.ts';
import { prepare, q } from '../db/statements.ts';
import { eventIdOf, type LogPosition, positionOfEventId } from './eventId.ts';

/** The reason why a log cannot be resumed from a cursor. */
export interface Gap {
  /**
   * `expired` cursors are older than all stored events. `unknown` cursors are from other data, for example
   * from before a backup was restored.
   */
  reason: 'expired' | 'unknown';
  /** The cursor before the oldest stored event. */
  oldest: string;
  /** The cursor after the latest event. */
  latest: string;
}

const placesOf = (logId: string) => q.selectFrom('event').select(['seq', 'epoch']).where('logId', '=', logId);

const latestOf = prepare((p: { logId: string }) => placesOf(p.logId).orderBy('seq', 'desc').limit(1));
const oldestOf = prepare((p: { logId: string }) => placesOf(p.logId).orderBy('seq').limit(1));
const at = prepare((p: { logId: string; seq: number }) => placesOf(p.logId).where('seq', '=', p.seq));

/** The next log id after a given one. To iterate over all logs, start with `FIRST_ID`. */
export const nextLog = prepare((p: { after: string }) =>
  q.selectFrom('event').select('logId').where('logId', '>', p.after).orderBy('logId').limit(1),
);

/** The position before the first event. */
const START: LogPosition = { epoch: '000000000000', seq: 0 };

/** Returns the position of a log's latest event. */
export const latestPosition = async (db: Pick<DbReader, 'first'>, logId: string): Promise<LogPosition> =>
  (await db.first(latestOf({ logId }))) ?? START;

/** Returns the position before a log's oldest stored event. */
export async function oldestPosition(db: DbReader, logId: string): Promise<LogPosition> {
  const oldest = await db.first(oldestOf({ logId }));
  return oldest ? { epoch: oldest.epoch, seq: oldest.seq - 1 } : START;
}

interface End {
  logId: string;
  /** Sequence number and epoch of the latest event. */
  end: string;
}

const endOf = ({ seq, epoch }: LogPosition): string => `${seq} ${epoch}`;

const otherEnds = prepareKnown<End, { logId: string }>({ logId: 'uuid', end: 'text' }, (known) => {
  const latest = q
    .selectFrom('event')
    .select(sql<string>`seq || ' ' || epoch`.as('end'))
    .where('event.logId', '=', sql.ref<string>('known.logId'))
    .orderBy('seq', 'desc')
    .limit(sql.lit(1));
  return q
    .selectFrom(known.as('known'))
    .select('known.logId')
    .where((eb) => eb(eb.fn.coalesce(latest, sql.lit(endOf(START))), '<>', eb.ref('known.end')));
});

/**
 * Returns the given logs whose latest positions differ from those that the caller knows. Takes one statement.
 */
export async function movedLogs(db: Reads, places: ReadonlyMap<string, LogPosition>): Promise<string[]> {
  const known = [...places].map(([logId, place]) => ({ logId, end: endOf(place) }));
  return (await db.all(otherEnds(db.dialect, known))).map(({ logId }) => logId);
}

/** The bounds of a log, and whether the log has the event of a cursor. */
export interface Bounds {
  latest: LogPosition;
  /** The position before the oldest stored event. */
  oldest: LogPosition;
  /** The epoch of the event at the requested sequence number; null if there is none. */
  epochAt: string | null;
}

type FoundBounds = { logId: string; latest: string | null; oldest: string | null; epochAt: string | null };

const boundsOf = prepareKnown<{ logId: string; seq: number }, FoundBounds>(
  { logId: 'uuid', seq: 'bigint' },
  (known) => {
    const ofLog = q
      .selectFrom('event')
      .where('event.logId', '=', sql.ref<string>('known.logId'))
      .limit(sql.lit(1));
    const end = ofLog.select(sql<string>`seq || ' ' || epoch`.as('end'));
    return q
      .selectFrom(known.as('known'))
      .select('known.logId')
      .select([
        end.orderBy('seq', 'desc').as('latest'),
        end.orderBy('seq').as('oldest'),
        ofLog.select('epoch').where('event.seq', '=', sql.ref<number>('known.seq')).as('epochAt'),
      ]);
  },
);

const placeOfEnd = (end: string | null): LogPosition | undefined => {
  if (end === null) return undefined;
  const [seq, epoch] = end.split(' ') as [string, string];
  return { seq: Number(seq), epoch };
};

/** Returns the bounds of several logs, given the sequence number to look up in each. Takes one statement. */
export async function logBounds(
  db: Reads,
  logs: readonly { logId: string; seq: number }[],
): Promise<Map<string, Bounds>> {
  const rows = await db.all(boundsOf(db.dialect, logs));
  return new Map(
    rows.map(({ logId, latest, oldest, epochAt }) => {
      const first = placeOfEnd(oldest);
      return [
        logId,
        {
          latest: placeOfEnd(latest) ?? START,
          oldest: first ? { epoch: first.epoch, seq: first.seq - 1 } : START,
          epochAt,
        },
      ];
    }),
  );
}

/** Selects the logs that have events since a time, among the latest `limit` events of all logs. */
export const grownLogs = prepare((p: { since: number; limit: number }) =>
  q
    .selectFrom((eb) =>
      eb
        .selectFrom('event')
        .select(['at', 'logId', 'seq'])
        .where('at', '>=', p.since)
        .orderBy('at', 'desc')
        .limit(p.limit)
        .as('recent'),
    )
    .select((eb) => [
      'logId',
      eb.fn.max('seq').as('seq'),
      eb.fn.max('at').as('at'),
      eb.fn.countAll<number>().as('events'),
    ])
    .groupBy('logId'),
);

/** Whether the log has an event with this sequence number and epoch. */
export async function hasEventAt(db: DbReader, logId: string, { seq, epoch }: LogPosition): Promise<boolean> {
  return (await db.first(at({ logId, seq })))?.epoch === epoch;
}

/** Returns the cursor just before the event with this id. Undefined if the log has no such event. */
export async function cursorBefore(db: DbReader, logId: string, id: string): Promise<string | undefined> {
  const place = positionOfEventId(logId, id);
  if (!place || !(await hasEventAt(db, logId, place))) return undefined;
  const seq = place.seq - 1;
  return eventIdOf(logId, (await db.first(at({ logId, seq }))) ?? { epoch: place.epoch, seq });
}

/** Decodes a cursor. Returns a gap if the log cannot be resumed from the cursor. */
export async function positionAfter(
  db: DbReader,
  logId: string,
  cursor: string,
): Promise<{ place: LogPosition } | { gap: Gap }> {
  const place = positionOfEventId(logId, cursor);
  const oldest = await oldestPosition(db, logId);
  // The cursor just before the oldest event is valid even though its own event was removed: the client has
  // missed nothing.
  if (place && (place.seq === oldest.seq || (await hasEventAt(db, logId, place)))) return { place };
  const reason = place && place.seq < oldest.seq ? 'expired' : 'unknown';
  const latest = eventIdOf(logId, await latestPosition(db, logId));
  return { gap: { reason, oldest: eventIdOf(logId, oldest), latest } };
}

/**
 * Returns a gap if the log cannot be resumed from the position; undefined if it can. `bounds` must have been
 * read for the position's sequence number.
 */
export function gapBefore(
  logId: string,
  place: LogPosition,
  { latest, oldest, epochAt }: Bounds,
): Gap | undefined {
  if (place.seq === oldest.seq || epochAt === place.epoch) return undefined;
  const reason = place.seq < oldest.seq ? 'expired' : 'unknown';
  return { reason, oldest: eventIdOf(logId, oldest), latest: eventIdOf(logId, latest) };
}
