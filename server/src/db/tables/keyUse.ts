import type { Table } from './facts.ts';

/**
 * The last use of an API key. This is not a column in `secret`, because updates there invalidate cached
 * principals.
 */
interface KeyUseRow {
  id: string;
  lastUsedAt: number;
}

export const keyUse: Table<KeyUseRow> = {
  key: ['id'],
  goesWith: { id: { table: 'secret', by: 'foreignKey' } },
};
