// Imported by its own path: the first page loads all that `index.ts` exports, and needs none of this.

/**
 * Of what a form asks for, the fields that differ from the record as it was when the form opened. The others are left as they are by
 * now: somebody else may have changed them meanwhile. Undefined where nothing is changed, and nothing is to be sent.
 */
export function changesTo<T extends object>(before: object, wanted: T): Partial<T> | undefined {
  const known = before as Record<string, unknown>;
  const changes = Object.entries(wanted).filter(
    ([field, value]) => JSON.stringify(known[field]) !== JSON.stringify(value),
  );
  return changes.length > 0 ? (Object.fromEntries(changes) as Partial<T>) : undefined;
}

/** A list as it is now, with what a form has added to it and taken away since it opened. */
export function mergedList(
  before: readonly string[],
  wanted: readonly string[],
  now: readonly string[],
): string[] {
  const stays = now.filter((one) => wanted.includes(one) || !before.includes(one));
  return [...stays, ...wanted.filter((one) => !before.includes(one) && !stays.includes(one))];
}
