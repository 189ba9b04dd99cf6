/** What the browser keeps of a person has this name: a database, a channel between tabs, locks. */
export const nameOf = (person: string): string => `palaver-${person}`;

/** Takes away what the browser keeps of a person: drafts, and messages that were not sent. Tabs that have it open let go of it. */
export function forget(person: string): Promise<void> {
  if (typeof indexedDB === 'undefined') return Promise.resolve();
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(nameOf(person));
    request.onsuccess = () => resolve();
    request.onerror = () => reject(request.error);
  });
}
