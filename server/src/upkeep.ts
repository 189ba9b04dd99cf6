import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import type { Db } from './db/contract.ts';
import { q, remove } from './db/statements.ts';
import { INDICATOR_MS } from './feed/indicators.ts';
import { KEPT_MS } from './operations/idempotency.ts';

const PERIOD_MS = 60_000;
/** Rows that are removed in one write: few enough that nobody notices. */
const PORTION = 500;
const DAY_MS = 24 * 60 * 60_000;

/** Tables whose rows have had their time at some age, in milliseconds: by their key, and the column that the age is counted from. */
const passing = [
  { table: 'idempotency', key: 'scope', time: 'createdAt', age: KEPT_MS },
  { table: 'indicator', key: 'id', time: 'updatedAt', age: INDICATOR_MS },
  { table: 'webhookDelivery', key: 'id', time: 'createdAt', age: 7 * DAY_MS },
] as const;

/** Tables whose rows hang on a channel. */
const channelTables = ['message', 'thread', 'pin', 'reaction', 'notification', 'indicator'] as const;

interface Upkeep {
  db: Db;
  now(): number;
  /** Days that the event log is kept. */
  eventDays: number;
}

/** Removes what has had its time, once a minute, in small writes. Gives the function that stops it. */
export function startUpkeep(upkeep: Upkeep, log: FastifyBaseLogger): () => Promise<void> {
  let running = Promise.resolve();
  const abort = new AbortController();
  const run = () => {
    running = running
      .then(() => tidy(upkeep, abort.signal))
      .catch((error) => log.warn({ err: error }, 'upkeep failed and will be tried again'));
  };
  const timer = setInterval(run, PERIOD_MS);
  timer.unref();
  return async () => {
    abort.abort();
    clearInterval(timer);
    await running;
  };
}

/** A portion of the rows of a table whose time was by then. */
function forgotten(table: string, key: string, time: string, until: number) {
  // biome-ignore lint/suspicious/noExplicitAny: Kysely cannot follow a table that is a parameter
  const any = q as Kysely<any>;
  const old = any.selectFrom(table).select(key).where(time, '<=', until).limit(PORTION);
  return any.deleteFrom(table).where(key, 'in', old);
}

/** One round of upkeep. */
export async function tidy({ db, now, eventDays }: Upkeep, signal?: AbortSignal): Promise<void> {
  const before = (age: number) => now() - age;
  const inPortions = async (portion: () => Promise<number>) => {
    while (!signal?.aborted && (await portion()) >= PORTION);
  };
  await inPortions(() => sweepChannels(db));
  for (const { table, key, time, age } of passing) {
    await inPortions(() => db.write((tx) => tx.count(forgotten(table, key, time, before(age)))));
  }
  await forgetEvents(db, before(eventDays * DAY_MS), signal);
}

/** Removes a portion of what deleted channels have left, and gives the number of rows. */
async function sweepChannels(db: Db): Promise<number> {
  return db.write(async (tx) => {
    const swept = await tx.first(q.selectFrom('sweep').selectAll().limit(1));
    if (!swept) return 0;
    const { channelId } = swept;
    for (const table of channelTables) {
      const removed = await tx.count(
        q
          .deleteFrom(table)
          .where('id', 'in', (eb) =>
            eb.selectFrom(table).select('id').where('channelId', '=', channelId).limit(PORTION),
          ),
      );
      if (removed > 0) return PORTION;
    }
    await tx.run(remove('sweep', { channelId }));
    return PORTION;
  });
}

/** Forgets old events, but never a server's latest: its number is where the next goes on. */
async function forgetEvents(db: Db, until: number, signal?: AbortSignal): Promise<void> {
  for (const { id: serverId } of await db.read.all(q.selectFrom('server').select('id'))) {
    const last = await db.read.first(
      q
        .selectFrom('event')
        .select((eb) => eb.fn.max('seq').as('seq'))
        .where('logId', '=', serverId),
    );
    const latest = last?.seq ?? 0;
    let forgotten = PORTION;
    while (!signal?.aborted && forgotten >= PORTION) {
      forgotten = await db.write((tx) =>
        tx.count(
          q
            .deleteFrom('event')
            .where('logId', '=', serverId)
            .where('at', '<', until)
            // Of the oldest alone, so that a round that finds nothing to forget does not read the whole log.
            .where('seq', 'in', (eb) =>
              eb
                .selectFrom('event')
                .select('seq')
                .where('logId', '=', serverId)
                .where('seq', '<', latest)
                .orderBy('seq')
                .limit(PORTION),
            ),
        ),
      );
    }
  }
}
