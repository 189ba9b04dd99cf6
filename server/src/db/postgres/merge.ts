import { append } from '../append.ts';
import type { Runnable } from '../contract.ts';
import { type TableName, tables } from '../schema.ts';
import type { Template } from '../statements.ts';
import { type Bound, fixed } from './compile.ts';

type Row = Readonly<Record<string, unknown>>;

/** The rows that one statement is to insert. */
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

/** The same as `append`, for any number of events of one log: each has the number after that of the one before. */
const appendAll =
  fixed(`insert into event ("logId", seq, type, "actorId", "channelId", "userId", "lostBy", at, data, epoch)
  select "logId", latest.seq + number, type, "actorId", "channelId", "userId", "lostBy", at, data,
    (select value from setting where name = 'epoch')
  from (select row_number() over () as number, * from json_populate_recordset(null::event, $1)) as events,
    (select coalesce(max(seq), 0) as seq from event where "logId" = $2) as latest`);

const lockOwner = fixed(`with server as (select 1 from server where id = $1 for no key update),
  person as (select 1 from "user" where id = $1 for no key update)
  select (select count(*) from server) + (select count(*) from person)`);

/** Later writers to the log of this server or user wait here until this transaction has ended; rows that only refer to it do not. */
export const lock = (logId: string): Bound => ({ ...lockOwner, values: [logId] });

/** Takes single inserts of many works and makes one statement of those into the same table. */
export class Merge {
  readonly #groups = new Map<unknown, Group>();
  /** The logs whose servers and users the transaction has locked from its beginning. */
  readonly #locked: ReadonlySet<string>;

  constructor(locked: ReadonlySet<string>) {
    this.#locked = locked;
  }

  /** Takes an insert; false if it is none that can wait for others. */
  add(query: Runnable<unknown>): boolean {
    if (!('template' in query)) return false;
    const { template, values } = query;
    if (template === append(values as never).template) {
      const logId = values.logId as string;
      // Numbers are counted in each log, by the transaction that has locked what it belongs to.
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

  /** The statements for what was taken, in the order in which their first rows came; then it is empty. */
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
