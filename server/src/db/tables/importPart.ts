import type { Row, Table } from './facts.ts';

/**
 * A part of the archive of an import. It is stored under the row's id; a trigger adds it to `fileRemoval`
 * when the row is deleted.
 */
interface ImportPartRow extends Row {
  importId: string;
  /** The offset of the part in the archive, and its size, in bytes. */
  offset: number;
  bytes: number;
}

export const importPart: Table<ImportPartRow> = {
  key: ['id'],
  goesWith: { importId: { table: 'import', by: 'foreignKey' } },
  neverTaken: { 'importId,offset': 'a part must start where the previous one ends' },
};
