/**
 * Makes text safe to print on one line of a terminal. Line breaks and tabs become spaces; other control
 * characters and those that change the writing direction are removed. They could move the cursor, hide text
 * or fake another line.
 */
export const plain = (text: string): string =>
  text
    .replace(/[\r\n\t\u2028\u2029]+/g, ' ')
    .replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '');
