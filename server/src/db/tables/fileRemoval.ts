import type { Table } from './facts.ts';

/**
 * A file to delete from the store. It belonged to a deleted attachment, picture, export or part of an import,
 * or belongs to an upload or export that may never complete.
 */
interface FileRemovalRow {
  /** The id of the file, which is also the id of its row in the other table. */
  id: string;
  /** Milliseconds since the Unix epoch. */
  dueAt: number;
}

export const fileRemoval: Table<FileRemovalRow> = { key: ['id'] };
