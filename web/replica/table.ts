import { isSame } from './same.ts';

/** An index of a table: maps a row to its value, or to null for none, and defines the order of rows. */
export interface Index<Row> {
  of(row: Row): string | null;
  order?: ((one: Row, other: Row) => number) | undefined;
}

interface Kept<Row> {
  ids: Set<string>;
  /** The sorted rows, cached until one of them changes. */
  list: readonly Row[] | undefined;
}

const none: readonly never[] = Object.freeze([]);

/** Rows by id, with indexes. A row or a list of rows stays the same object until its content changes. */
export class Table<Row extends { id: string }> {
  readonly #rows = new Map<string, Row>();
  readonly #indexes: ReadonlyMap<string, Index<Row>>;
  readonly #kept: ReadonlyMap<string, Map<string, Kept<Row>>>;
  readonly #changed: (key: string) => void;
  readonly #merged: (old: Row, row: Row) => Row;

  /**
   * `changed` is called with `:id` for each changed row, and with `@index=value` for each list that contains
   * it. `merged` combines a new row with an existing one with the same id.
   */
  constructor(
    indexes: Readonly<Record<string, Index<Row>>>,
    changed: (key: string) => void,
    merged = (_old: Row, row: Row): Row => row,
  ) {
    this.#merged = merged;
    this.#indexes = new Map(Object.entries(indexes));
    this.#kept = new Map(Object.keys(indexes).map((name) => [name, new Map()]));
    this.#changed = changed;
  }

  get size(): number {
    return this.#rows.size;
  }

  get(id: string): Row | undefined {
    return this.#rows.get(id);
  }

  values(): IterableIterator<Row> {
    return this.#rows.values();
  }

  put(given: Row): void {
    const old = this.#rows.get(given.id);
    const row = old === undefined ? given : this.#merged(old, given);
    if (old !== undefined && isSame(old, row)) return;
    this.#rows.set(row.id, row);
    for (const [name, index] of this.#indexes) {
      const [from, to] = [old === undefined ? null : index.of(old), index.of(row)];
      if (from !== null && from !== to) this.#leave(name, from, row.id);
      if (to !== null) this.#join(name, to, row.id);
    }
    this.#changed(`:${row.id}`);
  }

  delete(id: string): Row | undefined {
    const old = this.#rows.get(id);
    if (old === undefined) return undefined;
    this.#rows.delete(id);
    for (const [name, index] of this.#indexes) {
      const from = index.of(old);
      if (from !== null) this.#leave(name, from, id);
    }
    this.#changed(`:${id}`);
    return old;
  }

  /** The rows with this value in an index, in the order of the index, or by id if it has none. */
  list(name: string, value: string): readonly Row[] {
    const kept = this.#kept.get(name)?.get(value);
    if (kept === undefined) return none;
    if (kept.list !== undefined) return kept.list;
    const rows = [...kept.ids].map((id) => this.#rows.get(id) as Row);
    const order = this.#indexes.get(name)?.order;
    kept.list = rows.sort((one, other) => order?.(one, other) || (one.id < other.id ? -1 : 1));
    return kept.list;
  }

  /** The ids with this value in an index, unordered. */
  ids(name: string, value: string): readonly string[] {
    return [...(this.#kept.get(name)?.get(value)?.ids ?? [])];
  }

  #join(name: string, value: string, id: string): void {
    const values = this.#kept.get(name) as Map<string, Kept<Row>>;
    const kept = values.get(value) ?? { ids: new Set(), list: undefined };
    values.set(value, kept);
    kept.ids.add(id);
    kept.list = undefined;
    this.#changed(`@${name}=${value}`);
  }

  #leave(name: string, value: string, id: string): void {
    const values = this.#kept.get(name) as Map<string, Kept<Row>>;
    const kept = values.get(value);
    if (kept === undefined) return;
    kept.ids.delete(id);
    kept.list = undefined;
    if (kept.ids.size === 0) values.delete(value);
    this.#changed(`@${name}=${value}`);
  }
}
