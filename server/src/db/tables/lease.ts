import type { Table } from './facts.ts';

/** A duty that one process at a time has (docs/decisions/0035). */
interface LeaseRow {
  name: 'upkeep';
  /** The process that has the duty, until `ownedUntil`; null if none. */
  owner: string | null;
  ownedUntil: number;
  /** How far the duty was done, as its owner noted it; null if it never was. */
  progress: unknown;
}

export const lease: Table<LeaseRow> = {
  key: ['name'],
  json: ['progress'],
  isPermanent: true,
};
