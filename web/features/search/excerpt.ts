import { endOfWord, parseSearch, place, spaced } from '../../../server/src/lib/text/find.ts';

/** A piece of the text, and whether it matches the search. */
export interface Piece {
  /** The piece's position in the text, which is unique. */
  readonly at: number;
  readonly text: string;
  readonly isFound: boolean;
}

/** The maximum number of characters before the first match, and in total. */
const BEFORE = 60;
const MOST = 280;

/** Characters that are folded together: a letter with its marks, a Korean syllable with its parts. */
const clusters =
  /(?:[\u1100-\u11ff\u3131-\u318e\ua960-\ua97f\uac00-\ud7ff\uffa0-\uffdc][\u1100-\u11ff\u3131-\u318e\ua960-\ua97f\ud7b0-\ud7ff\uffa0-\uffdc]*|\p{Any})[\p{M}\p{Default_Ignorable_Code_Point}\uff9e\uff9f]*/gu;

/** A range of the text: its start, and its exclusive end. */
type Range = readonly [number, number];

/** Finds the search terms in the text, with the same rules as the server. */
function matchesIn(text: string, search: string): Range[] {
  const terms = parseSearch(search);
  if (!terms) return [];
  // The folded text that the server compares, and the original position of each character.
  let words = ' ';
  // The last character of `words`. Reading it from there would make the engine flatten the whole string each
  // time.
  let previous = ' ';
  const ranges: Range[] = [[0, 0]];
  const folded = new Map<string, string>();
  for (const { 0: cluster, index } of text.matchAll(clusters)) {
    const inner = folded.get(cluster) ?? spaced(cluster).slice(1, -1);
    folded.set(cluster, inner);
    const range: Range = [index, index + cluster.length];
    for (let at = 0; at < inner.length; at++) {
      const character = inner[at] as string;
      if (character === ' ' && previous === ' ') continue;
      words += character;
      previous = character;
      ranges.push(range);
    }
  }
  words += ' ';
  const found: Range[] = [];
  const find = (term: string, isPhrase: boolean) => {
    for (let at = place(words, term, isPhrase); at !== -1; at = place(words, term, isPhrase, at + 1)) {
      let first = at;
      for (const word of term.split(' ')) {
        const end = first + word.length;
        const last = (isPhrase ? end : endOfWord(words, end)) - 1;
        found.push([ranges[first]?.[0] ?? 0, ranges[last]?.[1] ?? 0]);
        first = end + 1;
      }
    }
  };
  for (const term of terms.beginnings) find(term, false);
  for (const term of terms.phrases) find(term, true);
  return found.sort(([one], [other]) => one - other);
}

/** The part of the text around the first match, split into matching and other pieces. */
export function excerptOf(text: string, search: string): Piece[] {
  const hits = matchesIn(text, search);
  const first = hits[0]?.[0] ?? 0;
  const from = first > BEFORE ? startOfWord(text, first - BEFORE) : 0;
  const to = Math.min(text.length, from + MOST);
  const pieces: Piece[] = [];
  const put = (start: number, end: number, isFound: boolean) => {
    if (end > start) pieces.push({ at: start, text: text.slice(start, end), isFound });
  };
  let at = from;
  if (from > 0) pieces.push({ at: -1, text: '…', isFound: false });
  for (const [start, end] of hits) {
    if (end <= at || start < from || end > to) continue;
    put(at, start, false);
    put(Math.max(at, start), end, true);
    at = end;
  }
  put(at, to, false);
  if (to < text.length) pieces.push({ at: to, text: '…', isFound: false });
  return pieces;
}

function startOfWord(text: string, at: number): number {
  const space = text.indexOf(' ', at);
  return space < 0 || space > at + 30 ? at : space + 1;
}
