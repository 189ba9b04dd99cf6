import type { typing as english } from '../en/typing.ts';
import { list, plural } from '../format.ts';

export const typing: typeof english = {
  somebody: 'Jemand',
  are: (people, count) => `${list(people)} ${plural(count, { one: 'schreibt', other: 'schreiben' })} …`,
  many: 'Mehrere Personen schreiben …',
};
