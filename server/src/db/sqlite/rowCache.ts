import { Recent } from '../../lib/recent.ts';
import type { Runnable } from '../contract.ts';
import type { Template } from '../statements.ts';

/** Maximum cached rows per query. */
const MAX_ROWS = 2_000;

/**
 * Caches rows that transactions read from rarely changing tables (`isCached`), because nearly every send
 * reads its channel. It is invalidated when one of these tables changes, here or in another process.
 * After such a change, a transaction adds no rows, because the change may be rolled back.
 */
export class RowCache {
  readonly #ofQueries = new Map<Template, Recent<unknown, object>>();
  #mayAdd = false;

  /** Call this once a transaction has the write lock and changes by other processes have been noticed. */
  begin(): void {
    this.#mayAdd = true;
  }

  /** Call this for each change to these tables, and when another process has written. */
  forget(): void {
    this.#mayAdd = false;
    if (this.#ofQueries.size > 0) this.#ofQueries.clear();
  }

  /** Returns the cached row for a query. The row is frozen. */
  get(query: Runnable<unknown>): object | undefined {
    if (!('template' in query) || query.template.cachedBy === undefined) return undefined;
    return this.#ofQueries.get(query.template)?.get(query.values[query.template.cachedBy]);
  }

  /** Freezes a row that a query returned, and caches it. */
  add(query: Runnable<unknown>, row: object): void {
    if (!this.#mayAdd || !('template' in query)) return;
    const { template, values } = query;
    if (template.cachedBy === undefined) return;
    const rows = this.#ofQueries.get(template) ?? new Recent(MAX_ROWS);
    this.#ofQueries.set(template, rows);
    for (const value of Object.values(row)) Object.freeze(value);
    rows.set(values[template.cachedBy], Object.freeze(row));
  }
}
