import type { Table } from './facts.ts';

/** A file that is to be removed from the store: one of an attachment that is gone, or of an upload that may never end. */
interface FileRemovalRow {
  /** The id of the attachment. */
  id: string;
  /** Milliseconds since the Unix epoch. */
  dueAt: number;
}

export const fileRemoval: Table<FileRemovalRow> = { key: ['id'] };
