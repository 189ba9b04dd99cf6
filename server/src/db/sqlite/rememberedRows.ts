import { Recent } from '../../lib/recent.ts';
import type { Runnable } from '../contract.ts';
import type { Template } from '../statements.ts';

/** Rows that are remembered of one query. */
const MAX_ROWS = 2_000;

/**
 * Rows that transactions have read, of tables that seldom change (`isRemembered`): nearly each send reads the same channel. They are
 * forgotten once one of these tables changes, here or in another process. None is added in a transaction after such a change,
 * since that may be undone.
 */
export class RememberedRows {
  readonly #ofQueries = new Map<Template, Recent<unknown, object>>();
  #mayAdd = false;

  /** Call this once a transaction has the write lock, and what other processes have written is noticed. */
  begin(): void {
    this.#mayAdd = true;
  }

  /** Call this for each change of one of the tables, and once another process has written. */
  forget(): void {
    this.#mayAdd = false;
    if (this.#ofQueries.size > 0) this.#ofQueries.clear();
  }

  /** The row that a query found before; it is frozen. */
  get(query: Runnable<unknown>): object | undefined {
    if (!('template' in query && query.template.isRemembered)) return undefined;
    return this.#ofQueries.get(query.template)?.get(query.values.id);
  }

  /** Remembers the row that a query has found, and freezes it. */
  add(query: Runnable<unknown>, row: object): void {
    if (!(this.#mayAdd && 'template' in query && query.template.isRemembered)) return;
    const { template, values } = query;
    const rows = this.#ofQueries.get(template) ?? new Recent(MAX_ROWS);
    this.#ofQueries.set(template, rows);
    for (const value of Object.values(row)) Object.freeze(value);
    rows.set(values.id, Object.freeze(row));
  }
}
