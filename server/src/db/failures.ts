/**
 * Queued items that fail. A failing item backs off while the others continue, so that one bad row cannot
 * block a queue. All nodes share the table: a new leader respects the backoff, and `/metrics`, the Health
 * page and `palaver doctor` show the same counts.
 */

import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type Backoff, backoffMs } from '../lib/backoff.ts';
import type { Deps } from '../lib/deps.ts';
import type { StateLog } from '../lib/outage.ts';
import type { Db, Reader } from './contract.ts';
import type { RowOf } from './schema.ts';
import { find, insert, q, remove } from './statements.ts';

type StoredQueue = RowOf<'failure'>['queue'];

/** The names of the queues in `/metrics` and on the Health page. */
export const queueNames = [
  'clock',
  'erasure',
  'files',
  'mail',
  'retention',
  'search',
  'sweeps',
  'webhooks',
] as const;
export type QueueName = (typeof queueNames)[number];

const BACKOFF: Backoff = { first: 60_000, most: 60 * 60_000 };
const MAX_REASON_CHARACTERS = 300;

interface Options {
  db: Pick<Db, 'read' | 'write'>;
  deps: Pick<Deps, 'now' | 'randomBytes'>;
  /** Logs failures and recoveries. If omitted, nothing is logged. */
  log?: StateLog | undefined;
}

/** The failing items of one queue. */
export class Failures {
  readonly #options: Options;
  readonly #queue: StoredQueue;

  constructor(options: Options, queue: StoredQueue) {
    this.#options = options;
    this.#queue = queue;
  }

  /**
   * Returns the SQL condition that the item is not backing off. `column` is the reference to its id, such as
   * `closing.id`.
   */
  isDue(column: string): RawBuilder<SqlBool> {
    const id = sql`${sql.lit(`${this.#queue}:`)} || ${sql.ref(column)}`;
    const waiting = q
      .selectFrom('failure')
      .select('failure.item')
      .where('nextAt', '>', this.#options.deps.now());
    return sql<SqlBool>`not exists ${waiting.where(sql<SqlBool>`failure.item = ${id}`)}`;
  }

  /** Returns those of the given items that failed and have not succeeded since. */
  async among(items: readonly string[]): Promise<Set<string>> {
    if (items.length === 0) return new Set();
    const ids = items.map((item) => this.#idOf(item));
    const rows = await this.#options.db.read.all(
      q.selectFrom('failure').select('item').where('item', 'in', ids),
    );
    return new Set(rows.map(({ item }) => item.slice(this.#queue.length + 1)));
  }

  /**
   * Records a failed attempt and starts the item's backoff. Logs only the first of several consecutive
   * failures.
   */
  async add(item: string, error: unknown): Promise<void> {
    const { db, deps, log } = this.#options;
    const id = this.#idOf(item);
    const reason = String((error as Error)?.message ?? error).slice(0, MAX_REASON_CHARACTERS);
    const attempts = await db.write(async (tx) => {
      const row = await tx.first(find('failure', { item: id }));
      const now = deps.now(tx.time());
      const attempts = (row?.attempts ?? 0) + 1;
      const set = { attempts, nextAt: now + backoffMs(attempts, BACKOFF, deps), reason };
      await tx.run(
        row
          ? q.updateTable('failure').set(set).where('item', '=', id)
          : insert('failure', { item: id, queue: this.#queue, since: now, ...set }),
      );
      return attempts;
    });
    if (attempts === 1)
      log?.warn({ queue: this.#queue, item, err: error }, 'a queued item failed and will be retried');
  }

  /** Clears the failures of an item that has succeeded. */
  async clear(item: string): Promise<void> {
    const { db, log } = this.#options;
    const gone = await db.write((tx) => tx.count(remove('failure', { item: this.#idOf(item) })));
    if (gone > 0) log?.info({ queue: this.#queue, item }, 'a queued item succeeded after failures');
  }

  /**
   * Runs a step, unless it is backing off. Records a failure instead of throwing it, so that the other steps
   * run.
   */
  async guard(item: string, step: () => Promise<unknown>): Promise<void> {
    const { db, deps } = this.#options;
    const row = await db.read.first(find('failure', { item: this.#idOf(item) }));
    if (row && row.nextAt > deps.now()) return;
    try {
      await step();
    } catch (error) {
      await this.add(item, error);
      return;
    }
    if (row) await this.clear(item);
  }

  #idOf = (item: string): string => `${this.#queue}:${item}`;
}

/** Counts the failing items per queue. May omit queues without any. The query has no parameters. */
const failing = q
  .selectFrom('failure')
  .select(({ fn, ref }) => [ref('queue').$castTo<string>().as('queue'), fn.countAll<number>().as('items')])
  .groupBy('queue')
  .unionAll(
    q
      .selectFrom('mail')
      .select(({ fn }) => [sql.lit('mail').as('queue'), fn.countAll<number>().as('items')])
      .where('failedAt', 'is not', null)
      .where('dueAt', 'is not', null),
  )
  .unionAll(
    q
      .selectFrom('webhookState')
      .select(({ fn }) => [sql.lit('webhooks').as('queue'), fn.countAll<number>().as('items')])
      .where('nextAt', 'is not', null),
  );

/** Returns the SQL text of the query that counts failing items, for `palaver doctor`. */
export const failingSql = (): string => failing.compile().sql;

export type FailingRow = { queue: string; items: number | bigint | string };

/** Returns the number of failing items per queue. */
export function failingCounts(rows: readonly FailingRow[]): Record<QueueName, number> {
  const found = new Map(rows.map(({ queue, items }) => [queue, Number(items)]));
  return Object.fromEntries(queueNames.map((name) => [name, found.get(name) ?? 0])) as Record<
    QueueName,
    number
  >;
}

/** Returns the number of failing items per queue, across all nodes. */
export const countFailing = async (db: Reader): Promise<Record<QueueName, number>> =>
  failingCounts(await db.all(failing));
