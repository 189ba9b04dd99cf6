import type { Generated } from 'kysely';
import type { Row, Table } from './facts.ts';

/**
 * The account of a user who signs in, with the same `id`. Agents have none, nor do users created on the
 * command line who have not claimed theirs.
 */
interface PersonRow extends Row {
  /** In lower case; null for none. */
  email: string | null;
  emailVerified: boolean;
  /** When the username was last changed; null for never. */
  renamedAt: Generated<number | null>;
}

export const person: Table<PersonRow> = {
  key: ['id'],
  inExportOf: { id: {} },
  unique: { email: 'this email address is taken' },
};
