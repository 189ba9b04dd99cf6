/** Makes a function that calls `load` when it is first called, and returns that result ever after. A failure is tried again. */
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
