/** A text that this browser keeps under a key; undefined if none, or if pages may keep nothing, as in some private windows. */
export function kept(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a text for this browser, or with undefined keeps it no longer. A browser that keeps nothing does nothing. */
export function keep(key: string, text: string | undefined): void {
  try {
    if (text === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // Nothing that is kept so is missed: each of its users goes on without.
  }
}
