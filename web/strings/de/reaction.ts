import type { reaction as english } from '../en/reaction.ts';
import { list, plural } from '../format.ts';

export const reaction: typeof english = {
  reactions: 'Reaktionen',
  add: 'Reaktion hinzufügen',
  chip: (emoji, count, isMine) =>
    `${emoji}, ${plural(count, { one: '# Reaktion', other: '# Reaktionen' })}${isMine ? ', auch deine' : ''}`,
  who: (names, more, emoji) =>
    `${list(more > 0 ? [...names, plural(more, { one: '# weitere Person', other: '# weitere' })] : names)}: ${emoji}`,
  somebody: 'Jemand',
  whoReacted: 'Wer reagiert hat',
  loading: 'Reaktionen werden geladen',
  nobody: 'Niemand hat reagiert.',
};
