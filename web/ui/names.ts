/** Joins class names, skipping false and undefined. */
export const names = (...all: (string | false | undefined)[]): string => all.filter(Boolean).join(' ');
