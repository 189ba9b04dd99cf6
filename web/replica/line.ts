/** A contiguous range of messages: all that exist from `from` to `to`, inclusive. */
export interface Stretch {
  /** Empty if the stretch starts at the very first message. */
  readonly from: string;
  /** Null if the stretch reaches the latest message. It then also covers future messages. */
  readonly to: string | null;
  /** Sorted. */
  readonly ids: readonly string[];
}

/** True if the id is inside the stretch, whether or not such a message exists. */
export const covers = ({ from, to }: Omit<Stretch, 'ids'>, id: string): boolean =>
  id >= from && (to === null || id <= to);

/** True if no message can exist between two stretches. */
export const touch = (one: Stretch, other: Stretch): boolean =>
  (one.to === null || other.from <= one.to) && (other.to === null || one.from <= other.to);

/** Merges two stretches that touch. */
export function joined(one: Stretch, other: Stretch): Stretch {
  const ends = one.to === null || other.to === null;
  return {
    from: one.from < other.from ? one.from : other.from,
    to: ends ? null : (one.to as string) > (other.to as string) ? one.to : other.to,
    ids: [...new Set([...one.ids, ...other.ids])].sort(),
  };
}

/** The index of an id in a sorted list: that of the first entry that is not smaller (lower bound). */
export function indexIn(ids: readonly string[], id: string): number {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] as string) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Inserts a message into the stretch. Returns the same object if the message is already there or outside
 * its range.
 */
export function withId(stretch: Stretch, id: string): Stretch {
  if (!covers(stretch, id)) return stretch;
  const place = indexIn(stretch.ids, id);
  if (stretch.ids[place] === id) return stretch;
  return { ...stretch, ids: stretch.ids.toSpliced(place, 0, id) };
}

/** Removes a message from the stretch. The range stays the same. */
export function withoutId(stretch: Stretch, id: string): Stretch {
  const place = indexIn(stretch.ids, id);
  return stretch.ids[place] === id ? { ...stretch, ids: stretch.ids.toSpliced(place, 1) } : stretch;
}

/** Cuts a stretch to the `most` messages nearest to an id. */
export function cutTo(stretch: Stretch, most: number, near: string): Stretch {
  const { ids, from, to } = stretch;
  if (ids.length <= most) return stretch;
  const first = Math.min(Math.max(0, indexIn(ids, near) - (most >> 1)), ids.length - most);
  const kept = ids.slice(first, first + most);
  return {
    ids: kept,
    from: first === 0 ? from : (kept[0] as string),
    to: first + most === ids.length ? to : (kept[most - 1] as string),
  };
}
