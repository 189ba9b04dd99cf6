const emojiOnly =
  /^(?:\s*(?:\p{RI}\p{RI}|\p{Emoji}(?:\p{EMod}|\u{FE0F}\u{20E3}?)?(?:\u{200D}\p{Emoji}(?:\p{EMod}|\u{FE0F})?)*)){1,12}\s*$/u;

/**
 * True if the message consists of at most a dozen emoji and nothing else; they are then shown larger.
 * Digits are excluded, although Unicode lists them as emoji.
 */
export const isEmojiOnly = (content: string): boolean =>
  content.length < 200 &&
  !/^\s*[a-z]/i.test(content) &&
  !/[\d#*]/.test(content.replace(/[\d#*]\u{FE0F}?\u{20E3}/gu, '')) &&
  emojiOnly.test(content);
