import { fold } from '../../ui/fold.ts';

/** A piece of a text, and whether it matches the search. */
export interface Piece {
  /** Where it starts in the text, which is unique. */
  readonly at: number;
  readonly text: string;
  readonly isFound: boolean;
}

/** The maximum number of characters before the first match, and in total. */
const BEFORE = 60;
const MOST = 280;

const word = /[\p{L}\p{N}\p{M}]+/gu;

/** Matches the terms of a search: quoted terms match whole words, others match prefixes. */
function wanted(search: string): (text: string) => boolean {
  const whole = new Set<string>();
  const beginnings: string[] = [];
  const rest = search.replace(/"([^"]*)"/g, (_, phrase: string) => {
    for (const [each] of phrase.matchAll(word)) whole.add(fold(each));
    return ' ';
  });
  for (const [each] of rest.matchAll(word)) beginnings.push(fold(each));
  return (text) => {
    const folded = fold(text);
    return whole.has(folded) || beginnings.some((each) => folded.startsWith(each));
  };
}

/** The part of a text around the first match, split into pieces that match and pieces that do not. */
export function excerptOf(text: string, search: string): Piece[] {
  const isWanted = wanted(search);
  const hits = [...text.matchAll(word)].filter(([each]) => isWanted(each));
  const first = hits[0]?.index ?? 0;
  const from = first > BEFORE ? startOfWord(text, first - BEFORE) : 0;
  const to = Math.min(text.length, from + MOST);
  const pieces: Piece[] = [];
  const put = (start: number, end: number, isFound: boolean) => {
    if (end > start) pieces.push({ at: start, text: text.slice(start, end), isFound });
  };
  let at = from;
  if (from > 0) pieces.push({ at: -1, text: '…', isFound: false });
  for (const { index, 0: each } of hits) {
    if (index < from || index + each.length > to) continue;
    put(at, index, false);
    put(index, index + each.length, true);
    at = index + each.length;
  }
  put(at, to, false);
  if (to < text.length) pieces.push({ at: to, text: '…', isFound: false });
  return pieces;
}

function startOfWord(text: string, at: number): number {
  const space = text.indexOf(' ', at);
  return space < 0 || space > at + 30 ? at : space + 1;
}
