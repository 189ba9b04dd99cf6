import { isWellFormed, newToken } from './token.ts';

const PREFIX = 'ticket_plv_';

/** A new ticket. `randomBytes(size)` returns `size` random bytes. */
export const newTicket = (randomBytes: (size: number) => Uint8Array): string => newToken(PREFIX, randomBytes);

/** True if a text has the form of a ticket. */
export const isTicket = (text: string): boolean => isWellFormed(PREFIX, text);
