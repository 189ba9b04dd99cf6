import { list, plural } from '../format.ts';

/** The texts of reactions. */
export const reaction = {
  reactions: 'Reactions',
  add: 'Add a reaction',
  chip: (emoji: string, count: number, isMine: boolean) =>
    `${emoji}, ${plural(count, { one: '# reaction', other: '# reactions' })}${isMine ? ', yours too' : ''}`,
  who: (names: readonly string[], more: number, emoji: string) =>
    `${list(more > 0 ? [...names, plural(more, { one: '# other', other: '# others' })] : names)}: ${emoji}`,
  somebody: 'Somebody',
  whoReacted: 'Who reacted',
  loading: 'Loading reactions',
  nobody: 'Nobody has reacted.',
};
