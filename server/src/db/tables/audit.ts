import type { Generated } from 'kysely';
import type { Table } from './facts.ts';

/** A command of the operator, or an act of a platform admin, that has changed something. Rows are only added. */
interface AuditRow {
  id: string;
  /** Milliseconds since the Unix epoch. */
  at: number;
  /** Such as `key create`. */
  command: string;
  /** The account of the operating system that ran it; empty for an act of a person. */
  account: string;
  /** The person who was signed in; null for a command. */
  actorId: Generated<string | null>;
  /** Identifiers and numbers; no names and no values, so that nobody has to be erased from it. */
  about: Readonly<Record<string, string | number | null>>;
}

export const audit: Table<AuditRow> = {
  key: ['id'],
  json: ['about'],
  keptFor: { ms: 400 * 24 * 60 * 60_000, since: 'at' },
};
