// Normalizes texts and names for comparison in searches. The server and the web client share this file, so
// their results match.

/**
 * Letters that Unicode does not decompose, with their base letters: strokes, hooks, ligatures, final forms,
 * and letters that differ between Arabic and Persian keyboards. Apostrophes that Unicode classifies as
 * letters end a word, like other apostrophes.
 */
const bases: Readonly<Record<string, string>> = Object.fromEntries(
  "ssß aeæ oeœ thþ aⱥ bƀɓ cȼ dđðɖɗ eɇ fƒ gǥ hħ iıɨ jɉ kƙ lłƚ nŋ oøɵ pᵽ rɍ tŧⱦ uʉ vʋ yƴɏ zƶ σς כך מם נן פף צץ اٱ يىی كک هةہھە 'ʼʻ"
    .split(' ')
    .flatMap((letters) => {
      const [, base = '', others = ''] = /^([a-z]{2}|.)(.+)$/.exec(letters) ?? [];
      return [...others].map((letter) => [letter, base]);
    }),
);

const special = new RegExp(`[${Object.keys(bases).join('')}]|(?!\\d)\\p{Nd}`, 'gu');

/**
 * Marks that are often omitted: accents, Hebrew points, Arabic vowels and the tatweel, Syriac points, the dot
 * of Devanagari and Gurmukhi. Marks of other scripts, such as Thai and Tamil vowels, are part of the word.
 */
const marks =
  /\u0640|(?![\u3099\u309a])(?=\p{M})[\p{sc=Zinh}\p{sc=Cyrl}\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}\u093c\u0a3c]/gu;

/** In Persian, a zero-width non-joiner separates the parts of a word. Some people write a space instead. */
const joints = /(?<=[\u0600-\u06ff])\u200c/g;
const invisible = /\p{Default_Ignorable_Code_Point}+/gu;

/**
 * Returns the value of a decimal digit in any script. The digits of a script are consecutive, from zero to
 * nine.
 */
function digit(character: string): string {
  const code = character.codePointAt(0) as number;
  let first = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first--;
  return String((code - first) % 10);
}

/**
 * Folds a text for comparison: lowercase, without accents and other optional marks, with base letters in
 * place of stroked letters, ligatures and compatibility forms such as full-width letters, and with ASCII
 * digits. Idempotent.
 */
export function fold(text: string): string {
  // A faster path for most texts.
  if (!/\P{ASCII}/u.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(marks, '')
    .replace(joints, ' ')
    .replace(invisible, '')
    .replace(special, (letter) => bases[letter] ?? digit(letter))
    .normalize('NFC');
}
