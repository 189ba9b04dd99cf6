import type { Align } from './nodes.ts';

/** A table with more columns is shown as written. */
const MAX_COLUMNS = 60;

const delimiters = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

/**
 * Returns the columns that the delimiter row of a table describes, if the header row has the same number of
 * cells.
 */
export function columnsOf(header: string, line: string): Align[] | undefined {
  if (!(line.includes('|') || header.includes('|')) || !delimiters.test(line)) return undefined;
  const cells = cellsOf(line);
  if (cells.length > MAX_COLUMNS || cellsOf(header).length !== cells.length) return undefined;
  return cells.map((cell) => {
    const isLeft = cell.startsWith(':');
    if (cell.endsWith(':')) return isLeft ? 'center' : 'right';
    return isLeft ? 'left' : undefined;
  });
}

/** Returns the cells of a row, without the backslashes that escape bars. */
export function cellsOf(line: string): string[] {
  const text = line.trim();
  const cells: string[] = [];
  let from = text.startsWith('|') ? 1 : 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '|') {
      cells.push(text.slice(from, at));
      from = at + 1;
    }
  }
  if (from < text.length || cells.length === 0) cells.push(text.slice(from));
  return cells.map((cell) => cell.trim().replaceAll('\\|', '|'));
}
