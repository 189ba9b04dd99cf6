import { list, plural } from '../format.ts';

/** The texts of reactions. */
export const reaction = {
  reactions: 'Reactions',
  add: 'Add a reaction',
  chip: (emoji: string, count: number) =>
    `${emoji}, ${plural(count, { one: '# reaction', other: '# reactions' })}`,
  chipWithMine: (emoji: string, count: number) =>
    `${emoji}, ${plural(count, { one: '# reaction', other: '# reactions' })}, yours too`,
  who: (names: readonly string[], emoji: string) => `${list(names)}: ${emoji}`,
  others: (count: number) => plural(count, { one: '# other', other: '# others' }),
  somebody: 'Somebody',
  whoReacted: 'Who reacted',
  loading: 'Loading reactions',
  nobody: 'Nobody has reacted.',
};
