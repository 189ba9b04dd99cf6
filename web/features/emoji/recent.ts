const KEY = 'palaver-emoji';
const MOST = 40;

/** Suggestions for users without enough recent emoji. */
const first = ['👍', '❤️', '😂', '🎉', '👀', '🙏', '✅', '🔥'];

/** How often each emoji was used, most recently used first. */
type Counts = [emoji: string, count: number][];

function kept(): Counts {
  try {
    const rows: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(rows)
      ? rows.filter((row): row is Counts[number] => typeof row?.[0] === 'string')
      : [];
  } catch {
    return [];
  }
}

/** Returns up to `most` of the `usable` emoji: first those used most in this browser, then common ones. */
export function recentEmoji(most: number, usable: (emoji: string) => boolean): string[] {
  const own = kept()
    .toSorted((one, other) => other[1] - one[1])
    .map(([emoji]) => emoji)
    .filter(usable);
  return [...new Set([...own, ...first])].slice(0, most);
}

/** Counts a use of an emoji. */
export function keepEmoji(emoji: string): void {
  const rows = kept();
  const count = rows.find(([known]) => known === emoji)?.[1] ?? 0;
  // The counts decay, so recent uses weigh more.
  const others = rows
    .filter(([known]) => known !== emoji)
    .map(([known, times]): Counts[number] => [known, times * 0.98]);
  try {
    localStorage.setItem(KEY, JSON.stringify([[emoji, count + 1], ...others].slice(0, MOST)));
  } catch {
    // If storage is blocked, the common emoji are suggested.
  }
}
