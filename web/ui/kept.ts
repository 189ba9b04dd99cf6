/**
 * A string stored in this browser. Undefined if there is none, or if storage is blocked, as in some private
 * windows.
 */
export function kept(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores a string in this browser; undefined deletes it. Does nothing if storage is blocked. */
export function keep(key: string, text: string | undefined): void {
  try {
    if (text === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // Nothing stored here is essential: callers work without it.
  }
}
