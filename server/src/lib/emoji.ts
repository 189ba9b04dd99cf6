import { nameKey } from './names.ts';

/** A literal in a function, because V8 takes 20 ms to create the first one, which a start does not need. */
const isRgi = (text: string): boolean => /^\p{RGI_Emoji}$/v.test(text);
/** The variation selectors for emoji and text presentation. */
const SELECTORS = /[\ufe0e\ufe0f]/g;
/** A character that is shown as text unless a selector follows; a skin tone takes the selector's place. */
const UNQUALIFIED = /(?!\p{Emoji_Presentation})\p{Emoji}(?!\p{Emoji_Modifier})/gu;

/** A custom emoji. Its name is matched case-insensitively. */
const CUSTOM = /^:([^:\s]{1,32}):$/;
/** Longer forms, such as those of ligatures, are not the name of any custom emoji. */
const MAX_CUSTOM = 32;

/**
 * The canonical spelling of an emoji, as Unicode recommends it for interchange: "fully-qualified" in UTS #51,
 * ED-18a. So ❤ and ❤️ are the same reaction. The name of a custom emoji has the form in which servers store it. Any
 * other text is only normalized to NFC.
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
