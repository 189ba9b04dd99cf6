// Not exported by `index.ts`: everything exported there is loaded with the first page, which does not need
// this.

/**
 * The fields of a form that differ from the record when the form opened. Unchanged fields are left out,
 * because someone else may have changed them in the meantime. Undefined if nothing changed, so there is
 * nothing to send.
 */
export function changesTo<T extends object>(before: object, wanted: T): Partial<T> | undefined {
  const known = before as Record<string, unknown>;
  const changes = Object.entries(wanted).filter(
    ([field, value]) => JSON.stringify(known[field]) !== JSON.stringify(value),
  );
  return changes.length > 0 ? (Object.fromEntries(changes) as Partial<T>) : undefined;
}

/**
 * Merges the additions and removals made in a form into the current list, which may have changed since the
 * form opened.
 */
export function mergedList(
  before: readonly string[],
  wanted: readonly string[],
  now: readonly string[],
): string[] {
  const stays = now.filter((one) => wanted.includes(one) || !before.includes(one));
  return [...stays, ...wanted.filter((one) => !before.includes(one) && !stays.includes(one))];
}
