import type { Generated } from 'kysely';
import type { QuietHours } from '../../lib/quietHours.ts';
import type { Row, Table } from './facts.ts';

/**
 * The account of a user who signs in, with the same `id` as the user. Agents have no account, and neither do
 * users created on the command line or by an import, until somebody claims them.
 */
interface PersonRow extends Row {
  /** The email address in lowercase; null if there is none. */
  email: string | null;
  emailVerified: boolean;
  /** When the username was last changed; null for never. */
  renamedAt: Generated<number | null>;
  /** The content of push notifications: the message, only its sender and channel, or nothing. */
  pushContent: Generated<'full' | 'sender' | 'nothing'>;
  /** The language of email digests (BCP 47); null for the default. */
  language: Generated<string | null>;
  /** The times without pushes, sounds or digests; null if there are none. */
  quietHours: Generated<QuietHours | null>;
}

export const person: Table<PersonRow> = {
  key: ['id'],
  json: ['quietHours'],
  inExportOf: { id: {} },
  unique: { email: 'this email address is taken' },
};
