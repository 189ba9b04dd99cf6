import { lex, type Token } from '../index.ts';

interface Inside {
  text?: string;
  tokens?: Token[];
  items?: Token[];
  header?: Inside[];
  rows?: Inside[][];
  mark?: string;
}

/** The plain text of a message on one line, with spoilers masked. */
export const plainOf = (content: string): string =>
  lex(content).map(textIn).join(' ').replace(/\s+/g, ' ').trim();

function textIn(token: Token): string {
  const { text = '', tokens, items, header, rows, mark } = token as Inside;
  if (token.type === 'spoiler') return '▒▒▒';
  if (token.type === 'name') return `${mark}${text}`;
  if (token.type === 'br' || token.type === 'space' || token.type === 'hr') return ' ';
  if (items) return items.map(textIn).join(' ');
  if (header && rows)
    return [header, ...rows]
      .map((row) => row.map(({ tokens: cell = [] }) => cell.map(textIn).join('')).join(' '))
      .join(' ');
  return tokens ? tokens.map(textIn).join('') : text;
}
