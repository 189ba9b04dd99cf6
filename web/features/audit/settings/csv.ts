/**
 * A cell of a CSV file. A text that a spreadsheet would take for a formula gets an apostrophe, since its author may be anybody; one with
 * commas, quotes or lines gets quotes.
 */
const cellOf = (value: string | number | null): string => {
  const text = String(value ?? '');
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** Rows as CSV (RFC 4180), the first with the names of the columns. */
export const csvOf = (rows: readonly (readonly (string | number | null)[])[]): string =>
  rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');
