import type { emoji as english } from '../en/emoji.ts';
import { plural } from '../format.ts';

export const emoji: typeof english = {
  label: 'Emoji',
  search: 'Emoji suchen (auf Englisch)',
  toGroup: 'Arten von Emoji',
  none: 'Kein Emoji hat diese Wörter.',
  found: (count) => plural(count, { zero: 'Keine Emoji', one: '# Emoji', other: '# Emoji' }),
  groups: {
    recent: 'Oft benutzt',
    found: 'Gefunden',
    smileys: 'Smileys',
    people: 'Personen',
    nature: 'Tiere und Natur',
    food: 'Essen und Trinken',
    travel: 'Reisen und Orte',
    activities: 'Aktivitäten',
    objects: 'Gegenstände',
    symbols: 'Symbole',
    flags: 'Flaggen',
  },
  tone: 'Hautton',
  tones: ['Kein Hautton', 'Hell', 'Mittelhell', 'Mittel', 'Mitteldunkel', 'Dunkel'],
};
