/** How a text file is shown: as code in a language, or as a table with a separator between cells. */
export interface Form {
  language?: string;
  separator?: string;
}

/** Language names by file extension; empty for plain text. Files with other extensions have no preview. */
const languages: ReadonlyMap<string, string> = new Map([
  ...['cjs', 'mjs'].map((extension) => [extension, 'js'] as const),
  ...['log', 'text', 'txt'].map((extension) => [extension, ''] as const),
  ['htm', 'html'],
  ...'bash c cc conf cpp cs css diff go h hpp html ini java js json jsonl jsx kt less lua md patch php pl ps1 py r rb rs scss sh sql svg swift toml ts tsx xml yaml yml'
    .split(' ')
    .map((extension) => [extension, extension] as const),
]);

/** Maximum size of a file with a preview, in bytes. Larger text files are rarely read. */
export const MOST_PREVIEWED = 10_000_000;

/** How to show a file with this name. Undefined if it is not a text file. */
export function formOf(name: string): Form | undefined {
  const [, extension = ''] = /\.(\w+)$/.exec(name.toLowerCase()) ?? [];
  if (extension === 'csv') return { separator: ',' };
  if (extension === 'tsv') return { separator: '\t' };
  const language = languages.get(extension);
  return language === undefined ? undefined : { language };
}

const MOST_ROWS = 50;
const MOST_CELLS = 20;

/**
 * The first rows of a table (RFC 4180: quoted cells may contain separators, line breaks and doubled quotes).
 * If the first line of a CSV file has semicolons but no commas, the separator is a semicolon, which Excel uses
 * in many countries.
 */
export function rowsOf(text: string, separator: string): string[][] {
  const [firstLine = ''] = text.split(/[\r\n]/, 1);
  const between = separator === ',' && !firstLine.includes(',') && firstLine.includes(';') ? ';' : separator;
  const rows: string[][] = [];
  let row: string[] = [];
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^${between}\\r\\n]*))(${between}|\\r\\n?|\\n|$)`, 'y');
  while (rows.length < MOST_ROWS) {
    // A quoted cell followed by other text is read as a plain cell, so every position matches.
    const [, quoted, plain = '', end = ''] = cell.exec(text) as RegExpExecArray;
    if (row.length < MOST_CELLS) row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === between) continue;
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
    if (end === '' || cell.lastIndex >= text.length) break;
  }
  return rows;
}
