import { append } from '../append.ts';
import type { Runnable } from '../contract.ts';
import { type TableName, tables } from '../schema.ts';
import type { Template } from '../statements.ts';
import { type Bound, fixed } from './compile.ts';

type Row = Readonly<Record<string, unknown>>;

/** Rows to be inserted by one statement. */
interface Group {
  rows: Row[];
  bind(rows: Row[]): Bound[];
}

const statements = new WeakMap<Template, Bound>();
const quote = (name: string): string => `"${name}"`;

/** Inserts any number of rows, given as one JSON array. */
function insertAll(template: Template, table: TableName, row: Row): Bound {
  let statement = statements.get(template);
  if (!statement) {
    const columns = Object.keys(row).map(quote).join(', ');
    const rows = `json_populate_recordset(null::${quote(table)}, $1)`;
    statement = fixed(`insert into ${quote(table)} (${columns}) select ${columns} from ${rows}`);
    statements.set(template, statement);
  }
  return statement;
}

/** As `append`, for any number of events of one log, numbered in their order. */
const appendAll =
  fixed(`insert into event ("logId", seq, type, "actorId", "channelId", "userId", "lostBy", at, data, "metaOf", epoch)
  select "logId", latest.seq + number, type, "actorId", "channelId", "userId", "lostBy", at, data, "metaOf",
    (select value from setting where name = 'epoch')
  from (select row_number() over () as number, * from json_populate_recordset(null::event, $1)) as events,
    (select coalesce(max(seq), 0) as seq from event where "logId" = $2) as latest`);

const lockOwner = fixed(`with server as (select 1 from server where id = $1 for no key update),
  person as (select 1 from "user" where id = $1 for no key update)
  select (select count(*) from server) + (select count(*) from person)`);

/** Locks the row of the log's server or user, so that other writers to the log wait. Foreign keys to it do not. */
export const lock = (logId: string): Bound => ({ ...lockOwner, values: [logId] });

/** Collects single inserts of several works, and merges those into the same table into one statement. */
export class Merge {
  readonly #groups = new Map<unknown, Group>();
  /** The logs that the transaction has locked from its beginning. */
  readonly #locked: ReadonlySet<string>;

  constructor(locked: ReadonlySet<string>) {
    this.#locked = locked;
  }

  /** Collects an insert. Returns false if the statement cannot be merged. */
  add(query: Runnable<unknown>): boolean {
    if (!('template' in query)) return false;
    const { template, values } = query;
    if (template === append(values as never).template) {
      const logId = values.logId as string;
      // Only a transaction that holds the log's lock may number its events.
      const locks = this.#locked.has(logId) ? [] : [lock(logId)];
      this.#group(logId, (rows) => [...locks, { ...appendAll, values: [toJson(rows), logId] }]).push(values);
      return true;
    }
    const { inserts } = template;
    if (!inserts || !tables[inserts].insertsMerge) return false;
    const statement = insertAll(template, inserts, values);
    this.#group(template, (rows) => [{ ...statement, values: [toJson(rows)] }]).push(values);
    return true;
  }

  /** Removes and returns the collected statements, in the order of their first rows. */
  take(): Bound[] {
    const bounds = [...this.#groups.values()].flatMap(({ rows, bind }) => bind(rows));
    this.#groups.clear();
    return bounds;
  }

  #group(key: unknown, bind: Group['bind']): Row[] {
    let group = this.#groups.get(key);
    if (!group) {
      group = { rows: [], bind };
      this.#groups.set(key, group);
    }
    return group.rows;
  }
}

const toJson = (rows: Row[]): string => JSON.stringify(rows);
