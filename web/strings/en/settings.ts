import { number, plural } from '../format.ts';

/** The texts that all pages of settings share. */
export const settings = {
  back: 'Back',
  more: 'Show more',
  showOf: (shown: number, all: number) => `Show more: ${number(shown)} of ${number(all)} are here`,
  found: (count: number) => plural(count, { zero: 'None found', one: '# found', other: '# found' }),
  nothing: 'Nothing found',
  nothingMore: 'Try fewer words, or parts of them.',
  reading: 'Loading…',
  noPicture: 'This file is no picture that can be shown: choose a PNG, JPEG, GIF or WebP.',
  tooLarge: 'This picture is larger than 5 MB. Choose a smaller one.',
};
