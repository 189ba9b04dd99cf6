/** The texts that all pages of settings share. */
export const settings = {
  back: 'Back',
  more: 'Show more',
  reading: 'Loading…',
  noPicture: 'This file is no picture that can be shown: choose a PNG, JPEG, GIF or WebP.',
  tooLarge: 'This picture is larger than 5 MB. Choose a smaller one.',
};
