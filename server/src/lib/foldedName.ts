import { fold } from './text/fold.ts';

/** Characters of a name that a search compares: the index entry must fit on a page, and some characters fold to eighteen. */
const MAX_CHARACTERS = 200;

/** A name, or the beginning of one, as the platform's lists find it. */
export const foldedName = (name: string): string => fold(name).slice(0, MAX_CHARACTERS).toWellFormed();
