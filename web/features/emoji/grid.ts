/** Emoji per row. */
export const COLUMNS = 8;

interface Part {
  emoji: readonly unknown[];
  /** The index of the part's first emoji in the whole grid. */
  from: number;
}

/**
 * The index that an arrow key selects, starting from `at`; undefined for other keys. Each part starts a new
 * row. `isRtl` swaps left and right.
 */
export function move(key: string, at: number, parts: readonly Part[], isRtl = false): number | undefined {
  const last = parts.reduce((sum, { emoji }) => sum + emoji.length, 0) - 1;
  if (last < 0) return undefined;
  const [forward, back] = isRtl ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft'];
  if (key === forward) return Math.min(at + 1, last);
  if (key === back) return Math.max(at - 1, 0);
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return undefined;
  const filled = parts.filter(({ emoji }) => emoji.length > 0);
  const index = filled.findIndex(({ from, emoji }) => at < from + emoji.length);
  const part = filled[index];
  if (!part) return 0;
  const column = (at - part.from) % COLUMNS;
  const row = Math.floor((at - part.from) / COLUMNS) + (key === 'ArrowDown' ? 1 : -1);
  const rows = Math.ceil(part.emoji.length / COLUMNS);
  if (row >= 0 && row < rows)
    return Math.min(part.from + row * COLUMNS + column, part.from + part.emoji.length - 1);
  const next = filled[index + (row < 0 ? -1 : 1)];
  if (!next) return at;
  const nextRow = row < 0 ? Math.ceil(next.emoji.length / COLUMNS) - 1 : 0;
  return Math.min(next.from + nextRow * COLUMNS + column, next.from + next.emoji.length - 1);
}
