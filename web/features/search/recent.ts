/** Number of recent searches stored per user in this browser. */
const MOST = 6;
const key = (userId: string): string => `palaver.searches.${userId}`;

/** The recent searches, latest first. */
export function recentSearches(userId: string): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key(userId)) ?? '[]');
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string').slice(0, MOST) : [];
  } catch {
    return [];
  }
}

/** Saves a search as the latest one. */
export function keepSearch(userId: string, text: string): void {
  const others = recentSearches(userId).filter((one) => one !== text);
  write(userId, [text, ...others].slice(0, MOST));
}

export const clearSearches = (userId: string): void => write(userId, []);

function write(userId: string, searches: readonly string[]): void {
  try {
    localStorage.setItem(key(userId), JSON.stringify(searches));
  } catch {
    // Storage is blocked. Recent searches are only a convenience.
  }
}
