import { useSyncExternalStore } from 'react';

/** A global value that components subscribe to. */
export interface Store<T> {
  get(): T;
  set(value: T): void;
  use(): T;
}

/** Creates a store; `set` notifies all subscribers. */
export function createStore<T>(first: T): Store<T> {
  let current = first;
  const readers = new Set<() => void>();
  const follow = (reader: () => void) => {
    readers.add(reader);
    return () => readers.delete(reader);
  };
  const get = () => current;
  return {
    get,
    set(value) {
      current = value;
      for (const reader of [...readers]) reader();
    },
    use: () => useSyncExternalStore(follow, get),
  };
}
