import type { Table } from './facts.ts';

/** An unused ticket. Using a ticket deletes its row. */
interface TicketRow {
  id: string;
  createdAt: number;
  /** SHA-256 of the ticket, in hexadecimal. */
  digest: string;
  /** The API key that created the ticket; null for a session's ticket. */
  secretId: string | null;
  /** The session that created the ticket; null for a key's ticket. */
  sessionId: string | null;
  /** The digest of the key's or session's token that was presented to create the ticket. */
  keyDigest: string;
}

/** Lifetime of a ticket, in milliseconds. */
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
