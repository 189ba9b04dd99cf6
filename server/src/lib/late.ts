/** Lazy initialization: calls `load` on first use and caches the result. Failures are not cached. */
export function late<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= load().catch((error) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}

/** A module that is loaded before it is needed, for code that cannot wait for it. */
export interface Loadable<T> {
  load(): Promise<T>;
  /** Returns the module; undefined until it is loaded. */
  readonly value: T | undefined;
}

/** Like `late`, with synchronous access to the loaded module. */
export function loadable<T>(load: () => Promise<T>): Loadable<T> {
  let value: T | undefined;
  const once = late(async () => {
    value = await load();
    return value;
  });
  return {
    load: once,
    get value() {
      return value;
    },
  };
}
