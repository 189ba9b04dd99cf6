/** What this tab has kept under a key, also through a reload; undefined if it has nothing, or the browser keeps nothing. */
export function keptInTab<T>(key: string): T | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a value for this tab; undefined removes it. Where nothing can be kept, it lasts as long as the page. */
export function keepInTab(key: string, value: unknown): void {
  try {
    if (value === undefined) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // The caller has it.
  }
}
