import { StorageError } from '../contract.ts';
import { type TableName, tableNames, tables } from '../schema.ts';
import { type Column, type Key, laneName, namesOf, type Row, type Side, type Target } from './side.ts';

/** Maximum rows per transaction, and maximum characters in their texts. */
const BATCH_ROWS = 1_000;
const BATCH_CHARS = 2_000_000;

/** Progress callback. Called with the number of rows copied so far in a table. */
export type Tell = (table: TableName, rows: number) => void;

/**
 * Copies all rows that are not in the target yet, and returns their number. Each batch is one transaction
 * in the target, which also records the progress, so that an interrupted copy continues after its last batch.
 * Throws `StorageError` if the tables differ or the target rejects a row.
 */
export async function copyAll(source: Side, target: Target, tell: Tell): Promise<number> {
  const progress = await target.progress();
  let copied = 0;
  for (const table of tableNames) copied += await copyTable(source, target, table, progress, tell);
  await target.settle();
  return copied;
}

async function copyTable(
  source: Side,
  target: Target,
  table: TableName,
  progress: ReadonlyMap<string, Key>,
  tell: Tell,
): Promise<number> {
  const columns = await columnsOf(source, target, table);
  const places = tables[table].key.map((name) => columns.findIndex((column) => column.name === name));
  const lanes = Array.from(
    { length: target.lanes },
    (_, number) => new Lane(target, table, columns, number, progress.get(laneName(table, number))),
  );
  let copied = 0;
  for await (const rows of source.rows(table, columns, leastOf(lanes))) {
    for (const row of rows) {
      const key = places.map((place) => row[place]) as unknown as Key;
      const lane = lanes[laneOf(key, lanes.length)] as Lane;
      if (lane.has(key)) continue;
      copied++;
      lane.put(row, key);
      if (lane.isFull) await lane.add();
    }
    tell(table, copied);
  }
  for (const lane of lanes) await lane.end();
  return copied;
}

/** Returns the columns of a table on both sides. Throws `StorageError` if they differ. */
export async function columnsOf(source: Side, target: Side, table: TableName): Promise<Column[]> {
  const [ours, theirs] = [await source.columns(table), await target.columns(table)];
  if (ours.length === 0 || String(namesOf(ours)) !== String(namesOf(theirs))) {
    throw new StorageError(`the table ${table} has different columns in ${source.name} and ${target.name}`);
  }
  return ours;
}

/**
 * A share of a table's rows, selected by key. Its batches are added one after another; lanes run
 * concurrently.
 */
class Lane {
  readonly #target: Target;
  readonly #table: TableName;
  readonly #columns: readonly Column[];
  readonly #number: number;
  /** The key of the last row that was put into the lane. */
  last: Key | undefined;
  #rows: Row[] = [];
  #size = 0;
  #adding: Promise<void> = Promise.resolve();

  constructor(
    target: Target,
    table: TableName,
    columns: readonly Column[],
    number: number,
    last: Key | undefined,
  ) {
    this.#target = target;
    this.#table = table;
    this.#columns = columns;
    this.#number = number;
    this.last = last;
  }

  has(key: Key): boolean {
    return this.last !== undefined && compare(key, this.last) <= 0;
  }

  put(row: Row, key: Key): void {
    this.#rows.push(row);
    for (const value of row) if (typeof value === 'string') this.#size += value.length;
    this.last = key;
  }

  get isFull(): boolean {
    return this.#rows.length >= BATCH_ROWS || this.#size >= BATCH_CHARS;
  }

  /**
   * Waits for the previous batch, then starts to add the rows that were put into the lane since. Throws the
   * errors of the previous batch.
   */
  async add(): Promise<void> {
    await this.#adding;
    if (this.#rows.length === 0) return;
    this.#adding = this.#add(this.#rows, this.last as Key);
    // The next `add` or `end` awaits the batch and throws its error.
    this.#adding.catch(() => {});
    this.#rows = [];
    this.#size = 0;
  }

  async end(): Promise<void> {
    await this.add();
    await this.#adding;
  }

  async #add(rows: Row[], last: Key): Promise<void> {
    try {
      await this.#target.add(this.#table, this.#columns, rows, this.#number, last);
    } catch (error) {
      if (error instanceof StorageError) throw error;
      const { message } = error as Error;
      throw new StorageError(`${this.#target.name} refused a row of ${this.#table}: ${message}`);
    }
  }
}

/** Returns the smallest last key of all lanes; undefined if a lane has not started. */
function leastOf(lanes: readonly Lane[]): Key | undefined {
  let least = lanes[0]?.last;
  for (const { last } of lanes) {
    if (least && (!last || compare(last, least) < 0)) least = last;
  }
  return least;
}

/** Selects a row's lane by the last character of its key, which is evenly distributed. */
const laneOf = (key: Key, lanes: number): number => {
  const text = String(key.at(-1));
  return text.charCodeAt(text.length - 1) % lanes;
};

/** Compares keys as both engines do: numbers by value, texts by bytes. */
function compare(one: Key, other: Key): number {
  for (const [index, part] of one.entries()) {
    const counterpart = other[index] as string | number;
    if (part !== counterpart) return part < counterpart ? -1 : 1;
  }
  return 0;
}
