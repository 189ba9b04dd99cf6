import type { Table } from './facts.ts';

/** A file that is to be removed from the store: one of an attachment or picture that is gone, or of an upload that may never end. */
interface FileRemovalRow {
  /** The id of the attachment or picture. */
  id: string;
  /** Milliseconds since the Unix epoch. */
  dueAt: number;
}

export const fileRemoval: Table<FileRemovalRow> = { key: ['id'] };
