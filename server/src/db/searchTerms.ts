/**
 * The searchable tables: messages by content, servers by name and description, members by nickname and user
 * names.
 */
export type SearchIndex = 'message' | 'server' | 'serverMember';

/**
 * A parsed search. Words match as prefixes, and phrases match as whole words in sequence. All of them must
 * match.
 */
export interface Search {
  words: string[];
  phrases: string[];
}

/** Maximum words and phrases per search; further ones are ignored. */
const MAX_TERMS = 32;

/** Splits typed text into words and quoted phrases. Accepts any text. */
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
