/** A stretch of messages without holes: all that there are from `from` to `to`, both included. */
export interface Stretch {
  /** Empty: from the first message on. */
  readonly from: string;
  /** Null: to the end, and whatever comes. */
  readonly to: string | null;
  /** Sorted. */
  readonly ids: readonly string[];
}

/** True if the id lies in the stretch, whether there is such a message or not. */
export const covers = ({ from, to }: Omit<Stretch, 'ids'>, id: string): boolean =>
  id >= from && (to === null || id <= to);

/** True if nothing can lie between two stretches. */
export const touch = (one: Stretch, other: Stretch): boolean =>
  (one.to === null || other.from <= one.to) && (other.to === null || one.from <= other.to);

/** Two stretches that touch, as one. */
export function joined(one: Stretch, other: Stretch): Stretch {
  const ends = one.to === null || other.to === null;
  return {
    from: one.from < other.from ? one.from : other.from,
    to: ends ? null : (one.to as string) > (other.to as string) ? one.to : other.to,
    ids: [...new Set([...one.ids, ...other.ids])].sort(),
  };
}

/** The place of an id in a sorted list: of the first that is not smaller. */
export function indexIn(ids: readonly string[], id: string): number {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] as string) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The stretch with a message more; the same if it has it, or does not reach there. */
export function withId(stretch: Stretch, id: string): Stretch {
  if (!covers(stretch, id)) return stretch;
  const place = indexIn(stretch.ids, id);
  if (stretch.ids[place] === id) return stretch;
  return { ...stretch, ids: stretch.ids.toSpliced(place, 0, id) };
}

/** The stretch without a message. It reaches as far as before. */
export function withoutId(stretch: Stretch, id: string): Stretch {
  const place = indexIn(stretch.ids, id);
  return stretch.ids[place] === id ? { ...stretch, ids: stretch.ids.toSpliced(place, 1) } : stretch;
}

/** At most `most` messages of a stretch: those nearest to an id. */
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
