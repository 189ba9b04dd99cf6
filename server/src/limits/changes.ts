/**
 * Applies an operator's overrides, such as `{"message": 0, "*": 600}`, to a table of numbers. `*` is the
 * default for all rows that are not named; 0 means no limit. `row` is the word for a row in error messages,
 * and `most` is the largest allowed number. Throws an Error with a message for the operator if the overrides
 * are invalid.
 */
export function changed<Name extends string>(
  table: Readonly<Record<Name, number>>,
  changes: unknown,
  { row, example, most }: { row: string; example: string; most: number },
): Readonly<Record<Name, number>> {
  if (typeof changes !== 'object' || changes === null || Array.isArray(changes)) {
    throw new Error(`must be a JSON object such as ${example}`);
  }
  for (const [name, number] of Object.entries(changes)) {
    if (name !== '*' && !Object.hasOwn(table, name)) {
      throw new Error(`has no ${row} "${name}"; the ${row}s are ${Object.keys(table).join(', ')} and *`);
    }
    if (!Number.isInteger(number) || number < 0 || number > most) {
      throw new Error(`"${name}" must be a whole number from 0 (no limit) to ${most}`);
    }
  }
  const given = changes as Partial<Record<Name | '*', number>>;
  const rows = Object.entries(table) as [Name, number][];
  return Object.fromEntries(
    rows.map(([name, number]) => [name, given[name] ?? given['*'] ?? number]),
  ) as Record<Name, number>;
}
