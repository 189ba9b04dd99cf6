/** A value stored in this tab, surviving reloads. Undefined if there is none or storage is blocked. */
export function keptInTab<T>(key: string): T | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/**
 * Stores a value in this tab; undefined deletes it. If storage is blocked, it does nothing: callers also keep the
 * value in memory.
 */
export function keepInTab(key: string, value: unknown): void {
  try {
    if (value === undefined) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Storage is blocked, but the value is still in memory.
  }
}
