/** What the browser keeps of a person has this name: a database, a channel between tabs, locks. */
export const nameOf = (person: string): string => `palaver-${person}`;

/** Tells that the browser has a database of a person: keys of `localStorage` that begin so. */
export const KEPT = 'palaver-kept-';

/** The databases of the browser. Undefined where it has none, and where pages may keep nothing: there even the name throws. */
export function databases(): IDBFactory | undefined {
  try {
    return globalThis.indexedDB;
  } catch {
    return undefined;
  }
}

/** Signing out waits no longer for a database that never answers, in ms. */
const LONGEST_MS = 2_000;

/**
 * Takes away what the browser keeps of a person: drafts, and messages that were not sent. Tabs that have it open let go of it. Resolves
 * also where that fails, or takes too long.
 */
export async function forget(person: string): Promise<void> {
  const all = databases();
  if (!all) return;
  await new Promise((resolve) => {
    all.deleteDatabase(nameOf(person)).onsuccess = resolve;
    setTimeout(resolve, LONGEST_MS);
  });
  try {
    localStorage.removeItem(KEPT + person);
  } catch {
    // A browser that keeps nothing.
  }
}
