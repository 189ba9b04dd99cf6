import type { Table } from './facts.ts';

/** A lease on a job that only one process runs at a time (docs/decisions/0035). */
interface LeaseRow {
  name: 'upkeep';
  /** The process that holds the lease until `ownedUntil`; null if none. */
  owner: string | null;
  ownedUntil: number;
  /** The owner's stored progress; null if there is none. */
  progress: unknown;
}

export const lease: Table<LeaseRow> = {
  key: ['name'],
  json: ['progress'],
  isPermanent: true,
};
