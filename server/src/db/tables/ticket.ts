import type { Table } from './facts.ts';

/** Tickets that were not used yet: a use removes the row. */
interface TicketRow {
  id: string;
  createdAt: number;
  /** SHA-256 of the ticket, hexadecimal. */
  digest: string;
  /** The API key for which it was made; null for one of a session. */
  secretId: string | null;
  /** The session for which it was made; null for one of a key. */
  sessionId: string | null;
  /** The digest of the key's or session's value as it was shown then. */
  keyDigest: string;
}

/** Lifetime of a ticket. */
export const TICKET_MS = 60_000;

export const ticket: Table<TicketRow> = {
  key: ['id'],
  goesWith: {
    secretId: { table: 'secret', by: 'foreignKey' },
    sessionId: { table: 'session', by: 'foreignKey' },
  },
  neverTaken: { digest: 'tickets are random' },
  keptFor: { ms: TICKET_MS, since: 'createdAt' },
};
