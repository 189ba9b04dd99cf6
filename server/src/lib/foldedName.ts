import { fold } from './text/fold.ts';

/**
 * Maximum characters of a name that a search compares: the index entry must fit on a page, and some
 * characters fold to eighteen.
 */
const MAX_CHARACTERS = 200;

/** A name, or its beginning, folded for prefix lookups in the platform's lists. */
export const foldedName = (name: string): string => fold(name).slice(0, MAX_CHARACTERS).toWellFormed();
