/** The name of a user's data in the browser: database, broadcast channel, locks. */
export const nameOf = (person: string): string => `palaver-${person}`;

/** Prefix of the `localStorage` keys that record which users have a database in this browser. */
export const KEPT = 'palaver-kept-';

/** Prefix of the `localStorage` keys that record since when a user has been signed out here. */
export const LAPSED = 'palaver-lapsed-';

/** IndexedDB. Undefined if it is missing or blocked: if storage is blocked, merely accessing it throws. */
export function databases(): IDBFactory | undefined {
  try {
    return globalThis.indexedDB;
  } catch {
    return undefined;
  }
}

/** Timeout in ms: signing out must not hang on a database that never responds. */
const LONGEST_MS = 2_000;

/**
 * Deletes a user's data in the browser: drafts and unsent messages. Other tabs then close the database.
 * Resolves even if the deletion fails or times out.
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
    localStorage.removeItem(LAPSED + person);
  } catch {
    // The browser blocks storage, so there is nothing to delete.
  }
}
