import { type SqlBool, sql } from 'kysely';
import type { Db } from '../db/contract.ts';
import { prepareKnown } from '../db/known.ts';
import { prepare, q } from '../db/statements.ts';
import { LATE_MS } from '../feed/logPoller.ts';
import { FIRST_ID } from '../lib/deps.ts';
import { BATCH_ROWS, type GoesOn, inBatches } from './forget.ts';

/** The progress of retention, in milliseconds since the Unix epoch. */
export interface Forgotten {
  /** Events older than this time have been deleted, except those that were the latest in their logs. */
  until: number;
  /**
   * Events older than `until` that were the latest in their log have also been deleted, if their log got a
   * newer event before this time.
   */
  grownUntil: number;
}

/** An event's position. */
interface Numbered {
  logId: string;
  seq: number;
}

const eventsByAge = prepare((p: Numbered & { at: number; until: number }) =>
  q
    .selectFrom('event')
    .select(['at', 'logId', 'seq'])
    .where(sql<SqlBool>`("at", "logId", "seq") > (${p.at}, ${p.logId}, ${p.seq})`)
    .where('at', '<', p.until)
    .orderBy('at')
    .orderBy('logId')
    .orderBy('seq')
    .limit(sql.lit(BATCH_ROWS)),
);

/**
 * Deletes events up to the given ones, except the latest event in each log, from which the next number is
 * derived.
 */
const forgetUpTo = prepareKnown<Numbered, unknown>({ logId: 'uuid', seq: 'bigint' }, (known) => {
  const latest = q
    .selectFrom('event as latest')
    .select((eb) => eb.fn.max('latest.seq').as('seq'))
    .where('latest.logId', '=', sql.ref<string>('known.logId'));
  const old = q
    .selectFrom(known.as('known'))
    .innerJoin('event as old', (join) =>
      join.onRef('old.logId', '=', 'known.logId').onRef('old.seq', '<=', 'known.seq'),
    )
    .select(['old.logId', 'old.seq'])
    .where('old.seq', '<', latest)
    .limit(sql.lit(BATCH_ROWS));
  return q.deleteFrom('event').where(sql<SqlBool>`("logId", "seq") in ${old}`);
});

/** Selects, for each given event, the event directly before it if that is older than `until`. */
const oldBefore = prepareKnown<Numbered & { until: number }, Numbered>(
  { logId: 'uuid', seq: 'bigint', until: 'bigint' },
  (known) =>
    q
      .selectFrom(known.as('known'))
      .innerJoin('event as old', (join) =>
        join.onRef('old.logId', '=', 'known.logId').on('old.seq', '=', sql<number>`known.seq - 1`),
      )
      .select(['old.logId', 'old.seq'])
      .whereRef('old.at', '<', 'known.until'),
);

/**
 * Event retention: deletes events older than `until`, except the latest in each log. This includes events
 * that have become too old since the last run, and events that were the latest in their log then but no
 * longer are. Without `from`, starts from the beginning. Returns the position at which to continue; undefined
 * if `goesOn` stopped it.
 */
export async function forgetEvents(
  db: Db,
  { until, now, from }: { until: number; now: number; from: Forgotten | undefined },
  goesOn: GoesOn,
): Promise<Forgotten | undefined> {
  const forget = (events: readonly Numbered[]) =>
    inBatches(() => db.write((tx) => tx.count(forgetUpTo(tx.dialect, events))), goesOn);

  for await (const events of byAge(db, from?.until ?? -1, until)) {
    if (!(await forget(furthest(events)))) return undefined;
  }
  const seen = new Set<string>();
  for await (const events of byAge(db, (from?.grownUntil ?? now) - LATE_MS, Number.MAX_SAFE_INTEGER)) {
    if (!(await goesOn())) return undefined;
    const first = events.filter(({ logId }) => !seen.has(logId) && seen.add(logId));
    if (first.length === 0) continue;
    const known = first.map(({ logId, seq }) => ({ logId, seq, until }));
    const old = await db.read.all(oldBefore(db.read.dialect, known));
    if (old.length > 0 && !(await forget(old))) return undefined;
  }
  return { until, grownUntil: now };
}

/** Yields the events in a time range, oldest first, up to `BATCH_ROWS` at a time. */
async function* byAge(db: Db, from: number, until: number): AsyncGenerator<Numbered[]> {
  let last = { at: from, logId: FIRST_ID, seq: 0 };
  for (;;) {
    const events = await db.read.all(eventsByAge({ ...last, until }));
    if (events.length > 0) yield events;
    if (events.length < BATCH_ROWS) return;
    last = events.at(-1) as typeof last;
  }
}

/** Returns the event with the highest number in each log. */
function furthest(events: readonly Numbered[]): Numbered[] {
  const last = new Map<string, Numbered>();
  for (const { logId, seq } of events) {
    if (seq > (last.get(logId)?.seq ?? 0)) last.set(logId, { logId, seq });
  }
  return [...last.values()];
}
