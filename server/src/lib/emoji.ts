import { nameKey } from './names.ts';

/**
 * Whether the text is an emoji that Unicode recommends for interchange. The regex is inside the function,
 * because V8 takes 20 ms to create it the first time, which would delay startup.
 */
const isRgi = (text: string): boolean => /^\p{RGI_Emoji}$/v.test(text);
/** The variation selectors for emoji and text presentation. */
const SELECTORS = /[\ufe0e\ufe0f]/g;
/** Matches a character that is shown as text unless a selector or a skin tone follows. */
const UNQUALIFIED = /(?!\p{Emoji_Presentation})\p{Emoji}(?!\p{Emoji_Modifier})/gu;

/** Matches a custom emoji. Its name is case-insensitive. */
const CUSTOM = /^:([^:\s]{1,32}):$/;
/** Maximum length of a custom emoji's name. Longer texts, such as expanded ligatures, are not names. */
const MAX_CUSTOM = 32;

/**
 * Returns the canonical form of an emoji, which Unicode recommends for interchange ("fully-qualified" in
 * UTS #51, ED-18a). ❤ and ❤️ are therefore the same reaction. The name of a custom emoji has the form in
 * which servers store it. Any other text is only normalized to NFC.
 */
export function canonicalEmoji(text: string): string {
  const custom = nameKey(CUSTOM.exec(text)?.[1] ?? '');
  if (custom !== '' && custom.length <= MAX_CUSTOM) return `:${custom}:`;
  const composed = text.normalize('NFC');
  const plain = composed.replace(SELECTORS, '');
  if (isRgi(plain)) return plain;
  const qualified = plain.replace(UNQUALIFIED, '$&\ufe0f');
  return isRgi(qualified) ? qualified : composed;
}
