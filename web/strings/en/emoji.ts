import { plural } from '../format.ts';

/** The texts of the choice of emoji. */
export const emoji = {
  label: 'Emoji',
  search: 'Search emoji',
  toGroup: 'Kinds of emoji',
  none: 'No emoji has these words.',
  found: (count: number) => plural(count, { zero: 'No emoji', one: '# emoji', other: '# emoji' }),
  groups: {
    recent: 'Often used',
    found: 'Found',
    smileys: 'Smileys',
    people: 'People',
    nature: 'Animals and nature',
    food: 'Food and drink',
    travel: 'Travel and places',
    activities: 'Activities',
    objects: 'Objects',
    symbols: 'Symbols',
    flags: 'Flags',
  },
  tone: 'Skin tone',
  tones: ['No skin tone', 'Light', 'Medium light', 'Medium', 'Medium dark', 'Dark'],
};
