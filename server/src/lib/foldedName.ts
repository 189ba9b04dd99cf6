import { fold } from './text/fold.ts';

/**
 * A search compares at most this many characters of a name, because the index entry must fit on a page, and
 * some characters fold to eighteen.
 */
const MAX_CHARACTERS = 200;

/** Folds a name, or the beginning of one, for prefix lookups in the platform's lists. */
export const foldedName = (name: string): string => fold(name).slice(0, MAX_CHARACTERS).toWellFormed();
