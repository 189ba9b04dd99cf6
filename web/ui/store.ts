import { useSyncExternalStore } from 'react';

/** A value of the page that components follow. */
export interface Store<T> {
  get(): T;
  set(value: T): void;
  use(): T;
}

/** Makes a store; `set` tells all that use it. */
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
