import type { Table } from './facts.ts';

/** A person who has an event stream open on a node. */
interface NodePersonRow {
  presenceNodeId: string;
  userId: string;
}

export const nodePerson: Table<NodePersonRow> = {
  key: ['presenceNodeId', 'userId'],
  inExportOf: { userId: {} },
  goesWith: { presenceNodeId: { table: 'presenceNode', by: 'foreignKey' } },
};
