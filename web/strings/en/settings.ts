/** The texts that all pages of settings share. */
export const settings = {
  back: 'Back',
  more: 'Show more',
  reading: 'Loading…',
};
