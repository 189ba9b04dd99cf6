import type { Generated } from 'kysely';
import type { Row, Table } from './facts.ts';

/** The account of a user who signs in, with the same `id`. Agents have none, nor have users who were only made on the command line. */
interface PersonRow extends Row {
  /** In lower case; null for none. */
  email: string | null;
  emailVerified: boolean;
  /** The last change of the username; null for none. */
  renamedAt: Generated<number | null>;
}

export const person: Table<PersonRow> = {
  key: ['id'],
  unique: { email: 'this e-mail address is taken' },
};
