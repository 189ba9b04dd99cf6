import { isWellFormed, newToken, prefixes } from './token.ts';

const PREFIX = prefixes.ticket;

/** Generates a ticket. `randomBytes(size)` returns `size` random bytes. */
export const newTicket = (randomBytes: (size: number) => Uint8Array): string => newToken(PREFIX, randomBytes);

/** Whether the text is a well-formed ticket. */
export const isTicket = (text: string): boolean => isWellFormed(PREFIX, text);
