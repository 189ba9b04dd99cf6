import type { Generated } from 'kysely';
import { ofServer, type Row, type Table } from './facts.ts';

/** A user who left a server. Nobody else can add them again; the row is deleted when they come back. */
interface DepartureRow extends Row {
  serverId: string;
  userId: string;
  /** When their time-out ends. It still applies when they come back. */
  timeoutUntil: Generated<number | null>;
}

export const departure: Table<DepartureRow> = {
  key: ['id'],
  inExportOf: { userId: {} },
  goesWith: ofServer,
  neverTaken: { 'serverId,userId': 'only a member can leave, and a new membership deletes the row' },
};
