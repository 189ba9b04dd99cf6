import type { Table } from './facts.ts';

/**
 * The total bytes of the files that count for a person: what they uploaded, and what the agents of their servers
 * did. For their quota.
 */
interface PersonUseRow {
  userId: string;
  bytes: number;
}

export const personUse: Table<PersonUseRow> = {
  key: ['userId'],
};
