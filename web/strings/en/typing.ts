import { list, plural } from '../format.ts';

/** The texts of who is typing. */
export const typing = {
  somebody: 'Somebody',
  are: (people: readonly string[], count: number) =>
    `${list(people)} ${plural(count, { one: 'is', other: 'are' })} typing…`,
  many: 'Several people are typing…',
};
