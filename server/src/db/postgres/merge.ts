import { append } from '../append.ts';
import type { Runnable } from '../contract.ts';
import { type TableName, tables } from '../schema.ts';
import type { Statement, Template } from '../statements.ts';
import { type Bound, bind, fixed } from './compile.ts';
import { lockOwners } from './locks.ts';

type Row = Readonly<Record<string, unknown>>;

/** A row to insert, and the write that inserts it. */
interface Insert<Work> {
  row: Row;
  by: Work;
}

/** Rows to insert with one statement. */
interface Group<Work> {
  inserts: Insert<Work>[];
  bind(inserts: readonly Insert<Work>[]): Merged<Work>[];
}

/** A statement, and the writes for which it runs. */
export interface Merged<Work> {
  bound: Bound;
  by: ReadonlySet<Work>;
}

const statements = new WeakMap<Template, Bound>();
const quote = (name: string): string => `"${name}"`;

/** Inserts any number of rows, given as one JSON array. No two of them may change the same row. */
function insertAll(query: Statement<unknown>, table: TableName): Bound {
  const { template, values } = query;
  let statement = statements.get(template);
  if (!statement) {
    const columns = Object.keys(values).map(quote).join(', ');
    const rows = `json_populate_recordset(null::${quote(table)}, $1)`;
    const conflict = template.key ? conflictOf(bind(query).compiled.text) : '';
    statement = fixed(`insert into ${quote(table)} (${columns}) select ${columns} from ${rows}${conflict}`);
    statements.set(template, statement);
  }
  return statement;
}

/** Returns the `on conflict` clause of an insert. */
function conflictOf(text: string): string {
  const conflict = text.slice(text.indexOf(' on conflict '));
  if (/\$\d/.test(conflict)) throw new Error(`a parameter after the values: ${text}`);
  return conflict;
}

/** Like `append`, for any number of events in any logs. Events are numbered in the given order. */
const appendAll = fixed(`with events as materialized
    (select row_number() over () as number, * from json_populate_recordset(null::event, $1)),
  latest as materialized (select "logId" as log, (select coalesce(max(seq), 0) from event where "logId" = logs."logId") as seq
    from (select distinct "logId" from events) as logs)
  insert into event ("logId", seq, type, "actorId", actor, "channelId", "userId", "lostBy", at, data, "metaOf",
    "contentOf", version, epoch)
  select "logId", latest.seq + row_number() over (partition by "logId" order by number), type, "actorId", actor, "channelId", "userId",
    "lostBy", at, data, "metaOf", "contentOf", version, (select value from setting where name = 'epoch')
  from events join latest on log = "logId" order by number`);

/** Collects single inserts from several writes, and merges those with the same template into one statement. */
export class Merge<Work> {
  readonly #groups = new Map<unknown, Group<Work>>();
  /** Keys of the collected rows that may already exist in their tables (upserts). */
  readonly #changed = new Set<string>();
  /** The logs that the transaction locked at its start. */
  readonly #locked: ReadonlySet<string>;

  constructor(locked: ReadonlySet<string>) {
    this.#locked = locked;
  }

  /** Collects an insert made by a write. Returns false if the statement cannot be merged. */
  add(query: Runnable<unknown>, by: Work): boolean {
    if (!('template' in query)) return false;
    const { template, values } = query;
    if (template === append(values as never).template) {
      this.#collect(template, values, by, (inserts) => this.#append(inserts));
      return true;
    }
    const { inserts } = template;
    if (!inserts || !tables[inserts].insertsMerge) return false;
    if (template.key) {
      const row = JSON.stringify([inserts, ...template.key.map((column) => values[column])]);
      // One statement cannot change a row twice. Two templates that change the same row could be reordered,
      // because statements are sent in the order of their first rows.
      if (this.#changed.has(row)) return false;
      this.#changed.add(row);
    }
    const statement = insertAll(query, inserts);
    this.#collect(template, values, by, (inserts) => [merged(statement, inserts)]);
    return true;
  }

  /** Removes and returns the collected statements, in the order of their first rows. */
  take(): Merged<Work>[] {
    const all = [...this.#groups.values()].flatMap(({ inserts, bind }) => bind(inserts));
    this.#groups.clear();
    this.#changed.clear();
    return all;
  }

  #append(events: readonly Insert<Work>[]): Merged<Work>[] {
    // Only a transaction that holds the log's lock may number the log's events.
    const others = events.filter(({ row }) => !this.#locked.has(row.logId as string));
    const logIds = new Set(others.map(({ row }) => row.logId as string));
    const lock = { bound: lockOwners(logIds), by: worksOf(others) };
    return [...(others.length > 0 ? [lock] : []), merged(appendAll, events)];
  }

  #collect(key: Template, row: Row, by: Work, bind: Group<Work>['bind']): void {
    let group = this.#groups.get(key);
    if (!group) {
      group = { inserts: [], bind };
      this.#groups.set(key, group);
    }
    group.inserts.push({ row, by });
  }
}

const worksOf = <Work>(inserts: readonly Insert<Work>[]): ReadonlySet<Work> =>
  new Set(inserts.map(({ by }) => by));

const merged = <Work>(statement: Bound, inserts: readonly Insert<Work>[]): Merged<Work> => ({
  bound: { ...statement, values: [JSON.stringify(inserts.map(({ row }) => row))] },
  by: worksOf(inserts),
});
