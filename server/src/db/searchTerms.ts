/** What can be searched: the words of a message, of a server's name and description, of a member's names. */
export type SearchIndex = 'message' | 'server' | 'serverMember';

/** What a search looks for: every word as the beginning of a word, and every phrase as it is. */
export interface Search {
  words: string[];
  phrases: string[];
}

/** The most words and phrases that a search looks for; the rest of a longer text is left out. */
const MAX_TERMS = 32;

/** Words and quoted phrases of what a person typed. Nothing a person can type is an error. */
export function parseSearch(text: string): Search {
  const words = new Set<string>();
  const phrases = new Set<string>();
  for (const [index, part] of text.split('"').entries()) {
    const found = part.match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? [];
    if (index % 2 === 1 && found.length > 0) phrases.add(found.join(' '));
    else for (const word of found) words.add(word);
  }
  const first = [...words].slice(0, MAX_TERMS);
  return { words: first, phrases: [...phrases].slice(0, MAX_TERMS - first.length) };
}
