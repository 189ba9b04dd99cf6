import type { reaction as english } from '../en/reaction.ts';
import { list, plural } from '../format.ts';

export const reaction: typeof english = {
  reactions: 'Reaktionen',
  add: 'Reaktion hinzufügen',
  chip: (emoji, count) => `${emoji}, ${plural(count, { one: '# Reaktion', other: '# Reaktionen' })}`,
  chipWithMine: (emoji, count) =>
    `${emoji}, ${plural(count, { one: '# Reaktion', other: '# Reaktionen' })}, auch deine`,
  who: (names, emoji) => `${list(names)}: ${emoji}`,
  others: (count) => plural(count, { one: '# weitere Person', other: '# weitere' }),
  somebody: 'Jemand',
  whoReacted: 'Wer reagiert hat',
  loading: 'Reaktionen werden geladen',
  nobody: 'Niemand hat reagiert.',
};
