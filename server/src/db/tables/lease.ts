import type { Table } from './facts.ts';

/** A lease on a job that one process runs at a time (docs/decisions/0035). */
interface LeaseRow {
  name: 'upkeep';
  /** The process that holds the lease until `ownedUntil`; null if none. */
  owner: string | null;
  ownedUntil: number;
  /** The progress that its owner stored; null if none. */
  progress: unknown;
}

export const lease: Table<LeaseRow> = {
  key: ['name'],
  json: ['progress'],
  isPermanent: true,
};
