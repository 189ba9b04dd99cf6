import type { Generated } from 'kysely';
import type { ActorKind } from './event.ts';
import type { Table } from './facts.ts';

/**
 * A change by an operator command, a platform admin or Palaver itself, or to a person's account. Append-only. Palaver
 * itself has neither an account nor an actor.
 */
interface AuditRow {
  id: string;
  /** Milliseconds since the Unix epoch. */
  at: number;
  /** For example `key create`. */
  command: string;
  /** The operating system account that ran the command; empty for a person's action. */
  account: string;
  /** The signed-in person; null for a command. */
  actorId: Generated<string | null>;
  /** `unknown`: someone who failed to sign in. Null in entries of earlier versions. */
  actor: Generated<ActorKind | 'unknown' | null>;
  /** Ids and numbers only, so that the log never contains personal data to erase. */
  about: Readonly<Record<string, string | number | null>>;
}

export const audit: Table<AuditRow> = {
  key: ['id'],
  json: ['about'],
  keptFor: { ms: 400 * 24 * 60 * 60_000, since: 'at' },
};
