/** A channel's position. */
export interface Placed {
  id: string;
  position: number;
}

/** Returns a copy of a list in which one element has moved. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = list.toSpliced(from, 1);
  return rest.toSpliced(to, 0, list[from] as T);
}

/** The API's maximum position. */
const MOST = 2_147_483_647;
/** The gap between renumbered positions. It lets a later move change only one channel. */
const STEP = 1024;

/**
 * The fewest position changes that put the channels into the given order. If one channel moved and there is
 * a gap between its new neighbours, only that channel changes.
 */
export function changesFor(order: readonly Placed[]): Placed[] {
  const kept = longestRising(order);
  const changes: Placed[] = [];
  let before = -1;
  for (const [at, channel] of order.entries()) {
    const { id, position } = channel;
    if (kept.has(id) && position > before) {
      before = position;
      continue;
    }
    const next =
      order.slice(at + 1).find((other) => kept.has(other.id))?.position ?? Math.min(MOST, before + 2 * STEP);
    const room = next - before;
    before = room >= 2 ? before + Math.floor(room / 2) : before + 1;
    if (before !== position) changes.push({ id, position: before });
  }
  // No position is left at the end, so all channels are renumbered.
  if (before > MOST) return order.map(({ id }, at) => ({ id, position: at * STEP }));
  return changes;
}

/** The channels that can keep their positions: the longest increasing subsequence. */
function longestRising(order: readonly Placed[]): Set<string> {
  const best: { length: number; before: number }[] = [];
  let last = -1;
  for (const [at, { position }] of order.entries()) {
    let found = { length: 1, before: -1 };
    for (let earlier = 0; earlier < at; earlier++) {
      const { length } = best[earlier] as { length: number };
      if ((order[earlier] as Placed).position < position && length >= found.length)
        found = { length: length + 1, before: earlier };
    }
    best.push(found);
    if (last < 0 || found.length > (best[last] as { length: number }).length) last = at;
  }
  const kept = new Set<string>();
  for (let at = last; at >= 0; at = (best[at] as { before: number }).before)
    kept.add((order[at] as Placed).id);
  return kept;
}
