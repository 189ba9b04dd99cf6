/** The words of a text, in lower case. */
const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];

/**
 * Whether a thread's name is made up of words from its root message, in the same order, like the names that
 * clients suggest.
 * The last word may be cut off.
 */
export function isNamedBy(name: string, content: string): boolean {
  const words = wordsOf(name);
  const last = words.length - 1;
  let next = 0;
  for (const word of wordsOf(content)) {
    const wanted = words[next];
    if (wanted === undefined) break;
    if (word === wanted || (next === last && word.startsWith(wanted))) next++;
  }
  return words.length > 0 && next === words.length;
}
