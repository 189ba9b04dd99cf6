import type { Table } from './facts.ts';

/** Unused tickets: using one deletes its row. */
interface TicketRow {
  id: string;
  createdAt: number;
  /** SHA-256 of the ticket, hexadecimal. */
  digest: string;
  /** The API key it was created for; null for a session's. */
  secretId: string | null;
  /** The session it was created for; null for a key's. */
  sessionId: string | null;
  /** The digest of the key's or session's token as presented then. */
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
