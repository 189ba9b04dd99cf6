/** A rendered reaction. */
export interface Chip {
  readonly emoji: string;
  readonly count: number;
  readonly isMine: boolean;
}

/**
 * The reactions to a message: the server's counts, adjusted by optimistic changes that the replica does not
 * have yet.
 */
export function chipsOf(
  counts: readonly { emoji: string; count: number }[],
  own: ReadonlySet<string>,
  wishes: ReadonlyMap<string, boolean>,
): Chip[] {
  const known = new Set(counts.map(({ emoji }) => emoji));
  const added = [...wishes].filter(([emoji, isOn]) => isOn && !known.has(emoji));
  return [...counts, ...added.map(([emoji]) => ({ emoji, count: 0 }))]
    .map(({ emoji, count }) => {
      const isMine = wishes.get(emoji) ?? own.has(emoji);
      return { emoji, isMine, count: count + Number(isMine) - Number(own.has(emoji)) };
    })
    .filter(({ count }) => count > 0);
}
