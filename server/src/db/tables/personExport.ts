import { EXPORT_MS } from './export.ts';
import type { Row, Table } from './facts.ts';

/** An export of a person's data, started by the person. */
interface PersonExportRow extends Row {
  userId: string;
  /** `deleted` means that the person deleted the export; the row still counts towards the daily limit. */
  state: 'running' | 'done' | 'failed' | 'deleted';
  /** Messages exported so far. */
  messages: number;
  /** The size of the archive, once it is complete. */
  bytes: number | null;
  /** Why the export failed; null if it did not. */
  failure: 'too_large' | 'too_late' | null;
}

/** The archive is stored under the row's id. A trigger adds it to `fileRemoval` when the row is deleted. */
export const personExport: Table<PersonExportRow> = {
  key: ['id'],
  inExportOf: { userId: {} },
  keptFor: { ms: EXPORT_MS, since: 'createdAt' },
};
