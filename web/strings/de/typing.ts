import type { typing as english } from '../en/typing.ts';
import { list } from '../format.ts';

export const typing: typeof english = {
  somebody: 'Jemand',
  are: (people) => `${list(people)} ${people.length === 1 ? 'schreibt' : 'schreiben'} …`,
  many: 'Mehrere Personen schreiben …',
};
