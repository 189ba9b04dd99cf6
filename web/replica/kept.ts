/** What outlives the page: rows by key, in named stores. */
export interface Kept {
  all(store: KeptStore): Promise<readonly unknown[]>;
  /** Resolves with false if the row is kept only as long as the page lives, though others outlive it. */
  put(store: KeptStore, key: string, row: unknown): Promise<boolean>;
  delete(store: KeptStore, key: string): Promise<void>;
  /** False as long as it is not known whether anything can be kept. */
  isOpen(): boolean;
}

export type KeptStore = 'outbox' | 'draft';

/** Keeps rows as long as the page lives: where the browser has no database, as in private windows of some. */
export function keptInMemory(): Kept {
  const stores: Record<KeptStore, Map<string, unknown>> = { outbox: new Map(), draft: new Map() };
  return {
    all: async (store) => [...stores[store].values()],
    async put(store, key, row) {
      stores[store].set(key, row);
      return true;
    },
    async delete(store, key) {
      stores[store].delete(key);
    },
    isOpen: () => true,
  };
}

/** The first that works: a database that fails, such as a full one, is done without. */
export function keptOrInMemory(kept: Kept): Kept {
  const memory = keptInMemory();
  const either = async <T>(ask: (of: Kept) => Promise<T>): Promise<T> => {
    try {
      return await ask(kept);
    } catch {
      return ask(memory);
    }
  };
  return {
    all: (store) => either((of) => of.all(store)),
    async put(store, key, row) {
      try {
        return await kept.put(store, key, row);
      } catch {
        await memory.put(store, key, row);
        return false;
      }
    },
    delete: (store, key) => either((of) => of.delete(store, key)),
    isOpen: kept.isOpen,
  };
}
