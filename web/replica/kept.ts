/** Storage that survives reloads: rows by key, in named stores. */
export interface Kept {
  all(store: KeptStore): Promise<readonly unknown[]>;
  /** Resolves with false if this row is stored in memory only while others are persisted. */
  put(store: KeptStore, key: string, row: unknown): Promise<boolean>;
  delete(store: KeptStore, key: string): Promise<void>;
  /** False until the storage is known to work. */
  isOpen(): boolean;
}

export type KeptStore = 'outbox' | 'draft';

/** Stores rows in memory: the fallback if the browser has no database, as in some private windows. */
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

/** Uses `kept`, and falls back to memory if it fails, for example because the database is full. */
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
