import type { Table } from './facts.ts';

/**
 * The total bytes of the files that count against a person's quota: their own uploads, and those of agents
 * in the servers they own.
 */
interface PersonUseRow {
  userId: string;
  bytes: number;
}

export const personUse: Table<PersonUseRow> = {
  key: ['userId'],
};
