import { ofServer, type Row, type Table } from './facts.ts';

interface CategoryRow extends Row {
  serverId: string;
  name: string;
  position: number;
  creatorId: string;
}

export const category: Table<CategoryRow> = {
  key: ['id'],
  inExportOf: { creatorId: { isOfServer: true, isScanned: true } },
  goesWith: ofServer,
};
