import { list } from '../format.ts';

/** The texts of who is typing. */
export const typing = {
  somebody: 'Somebody',
  are: (people: readonly string[]) => `${list(people)} ${people.length === 1 ? 'is' : 'are'} typing…`,
  many: 'Several people are typing…',
};
