/**
 * Makes text safe to print on one line of a terminal, or in an email. Line breaks and tabs become spaces.
 * Other control characters, bidirectional formatting characters, invisible characters and stacked combining
 * marks are removed, because they could move the cursor, hide text or fake another line.
 */
export const plain = (text: string): string =>
  text
    .replace(/[\r\n\t\u2028\u2029]+/g, ' ')
    .replace(
      /[\p{Cc}\u00ad\u061c\u115f\u1160\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0]/gu,
      '',
    )
    .replace(/(\p{M}{6})\p{M}+/gu, '$1');
