/**
 * A text that is safe to show on a terminal, on one line: line breaks and tabs become spaces, and all other control
 * characters are taken out, with those that turn the direction of writing. They could move the cursor, hide text, or
 * pretend to be another line.
 */
export const plain = (text: string): string =>
  text
    .replace(/[\r\n\t\u2028\u2029]+/g, ' ')
    .replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '');
