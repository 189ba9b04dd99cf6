import type { Table } from './facts.ts';

/** When a key was last used. Apart from `secret`, so that noting it ends no remembered principal. */
interface KeyUseRow {
  id: string;
  lastUsedAt: number;
}

export const keyUse: Table<KeyUseRow> = {
  key: ['id'],
  goesWith: { id: { table: 'secret', by: 'foreignKey' } },
};
