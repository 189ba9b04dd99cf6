import type { Table } from './facts.ts';

/** A file of a kept message. It stays in the store until this row is deleted. */
interface KeptFileRow {
  /** The id of the file. */
  id: string;
  keptMessageId: string;
}

export const keptFile: Table<KeptFileRow> = {
  key: ['id'],
  goesWith: { keptMessageId: { table: 'keptMessage', by: 'foreignKey' } },
};
