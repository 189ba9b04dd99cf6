import type { Generated } from 'kysely';
import type { ActorKind } from './event.ts';
import type { Table } from './facts.ts';

/**
 * An operator command, an action of a platform admin or of Palaver itself, or a change to a person's account.
 * The table is append-only. For Palaver itself, `account` is empty and `actorId` is null.
 */
interface AuditRow {
  id: string;
  /** Milliseconds since the Unix epoch. */
  at: number;
  /** The command, for example `key create`. */
  command: string;
  /** The operating system account that ran the command; empty for an action of a signed-in person. */
  account: string;
  /** The signed-in person; null for a command. */
  actorId: Generated<string | null>;
  /** The kind of actor; `unknown` is someone who failed to sign in. Null in entries of earlier versions. */
  actor: Generated<ActorKind | 'unknown' | null>;
  /** Contains ids, numbers and settings, but no personal data, so nothing has to be erased from the log. */
  about: Readonly<Record<string, string | number | null>>;
}

export const audit: Table<AuditRow> = {
  key: ['id'],
  json: ['about'],
  keptFor: { ms: 400 * 24 * 60 * 60_000, since: 'at' },
};
