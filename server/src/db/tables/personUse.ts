import type { Table } from './facts.ts';

/**
 * The total bytes of the files that count against a person's quota: their own uploads and, in the servers
 * they own, the uploads of agents and imported files.
 */
interface PersonUseRow {
  userId: string;
  bytes: number;
}

export const personUse: Table<PersonUseRow> = {
  key: ['userId'],
};
