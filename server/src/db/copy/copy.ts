import { StorageError } from '../contract.ts';
import { type TableName, tableNames, tables } from '../schema.ts';
import { type Column, type Key, laneName, namesOf, type Row, type Side, type Target } from './side.ts';

/** Rows that are added in one transaction at most, and the characters of their texts. */
const BATCH_ROWS = 1_000;
const BATCH_CHARS = 2_000_000;

/** Told now and then what has been done: how many rows of a table so far. */
export type Tell = (table: TableName, rows: number) => void;

/**
 * Copies all rows that are not in the target yet, and gives their number. Each portion is one transaction of the target with
 * the note of how far it has come, so that a copy which was interrupted at any moment goes on from there. Throws
 * `StorageError` where the target does not take a row.
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

/** The columns of a table, the same on both sides. */
export async function columnsOf(source: Side, target: Side, table: TableName): Promise<Column[]> {
  const [ours, theirs] = [await source.columns(table), await target.columns(table)];
  if (ours.length === 0 || String(namesOf(ours)) !== String(namesOf(theirs))) {
    throw new StorageError(`the table ${table} has other columns in ${source.name} than in ${target.name}`);
  }
  return ours;
}

/** Rows of a table that are added one portion after the other: a share of all that only the key decides about. */
class Lane {
  readonly #target: Target;
  readonly #table: TableName;
  readonly #columns: readonly Column[];
  readonly #number: number;
  /** The key that it has come to. */
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

  /** Begins to add what has been put, once what was put before has been added. */
  async add(): Promise<void> {
    await this.#adding;
    if (this.#rows.length === 0) return;
    this.#adding = this.#add(this.#rows, this.last as Key);
    // Whoever comes next waits for it, and hears of it.
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
      throw new StorageError(`${this.#target.name} does not take a row of ${this.#table}: ${message}`);
    }
  }
}

/** Where all lanes have come to; undefined where one has not begun. */
function leastOf(lanes: readonly Lane[]): Key | undefined {
  let least = lanes[0]?.last;
  for (const { last } of lanes) {
    if (least && (!last || compare(last, least) < 0)) least = last;
  }
  return least;
}

/** Which lane a row is of: by the last digit, that is as good as random. */
const laneOf = (key: Key, lanes: number): number => {
  const text = String(key.at(-1));
  return text.charCodeAt(text.length - 1) % lanes;
};

/** Compares keys as both engines order them: numbers by size, texts by their bytes. */
function compare(one: Key, other: Key): number {
  for (const [index, part] of one.entries()) {
    const counterpart = other[index] as string | number;
    if (part !== counterpart) return part < counterpart ? -1 : 1;
  }
  return 0;
}
