import { ofServer, type Row, type Table } from './facts.ts';

interface FlowRow extends Row {
  serverId: string;
  name: string;
  description: string | null;
  enabled: boolean;
  trigger: unknown;
  steps: unknown;
  creatorId: string;
}

export const flow: Table<FlowRow> = {
  key: ['id'],
  inExportOf: { creatorId: { isOfServer: true, isScanned: true } },
  json: ['trigger', 'steps'],
  goesWith: ofServer,
};
