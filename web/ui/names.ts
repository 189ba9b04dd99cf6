/** Joins names of classes, without those that are false or missing. */
export const names = (...all: (string | false | undefined)[]): string => all.filter(Boolean).join(' ');
