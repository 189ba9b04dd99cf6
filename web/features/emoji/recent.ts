const KEY = 'palaver-emoji';
const MOST = 40;

/** Those that are offered to somebody who has chosen few or none. */
const first = ['👍', '❤️', '😂', '🎉', '👀', '🙏', '✅', '🔥'];

/** How often each was chosen, the latest first. */
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

/** The emoji that the person chooses most in this browser, `most` of them; filled up with common ones. */
export function recentEmoji(most = 8): string[] {
  const own = kept()
    .toSorted((one, other) => other[1] - one[1])
    .map(([emoji]) => emoji);
  return [...new Set([...own, ...first])].slice(0, most);
}

/** Counts an emoji that was chosen. */
export function keepEmoji(emoji: string): void {
  const rows = kept();
  const count = rows.find(([known]) => known === emoji)?.[1] ?? 0;
  // What was chosen long ago gives way to what is chosen now.
  const others = rows
    .filter(([known]) => known !== emoji)
    .map(([known, times]): Counts[number] => [known, times * 0.98]);
  try {
    localStorage.setItem(KEY, JSON.stringify([[emoji, count + 1], ...others].slice(0, MOST)));
  } catch {
    // A browser that keeps nothing offers the common ones.
  }
}
