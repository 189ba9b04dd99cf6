import type { Table } from './facts.ts';

/**
 * The total bytes of the files attributed to a person, for their quota: their own uploads and those of their
 * servers' agents.
 */
interface PersonUseRow {
  userId: string;
  bytes: number;
}

export const personUse: Table<PersonUseRow> = {
  key: ['userId'],
};
