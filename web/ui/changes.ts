// Not exported by `index.ts`: the first page loads everything in there, and does not need this.

/**
 * The fields of a form that differ from the record when the form opened. Others are left out, because someone else may have changed them
 * meanwhile. Undefined if nothing changed and there is nothing to send.
 */
export function changesTo<T extends object>(before: object, wanted: T): Partial<T> | undefined {
  const known = before as Record<string, unknown>;
  const changes = Object.entries(wanted).filter(
    ([field, value]) => JSON.stringify(known[field]) !== JSON.stringify(value),
  );
  return changes.length > 0 ? (Object.fromEntries(changes) as Partial<T>) : undefined;
}

/** Merges a form's additions and removals since it opened into the list as it is now. */
export function mergedList(
  before: readonly string[],
  wanted: readonly string[],
  now: readonly string[],
): string[] {
  const stays = now.filter((one) => wanted.includes(one) || !before.includes(one));
  return [...stays, ...wanted.filter((one) => !before.includes(one) && !stays.includes(one))];
}
