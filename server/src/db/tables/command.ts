import { ofServer, type Row, type Table } from './facts.ts';

/** An agent's command, which people use in the composer. */
interface CommandRow extends Row {
  serverId: string;
  /** The agent that responds. */
  agentId: string;
  name: string;
  /** The folded name, which is unique in the server. */
  nameKey: string;
  description: string;
  options: readonly object[];
  /** The flow that the command starts. */
  flowId: string | null;
}

export const command: Table<CommandRow> = {
  key: ['id'],
  json: ['options'],
  inExportOf: { agentId: { isOfServer: true } },
  goesWith: ofServer,
  outlives: { flowId: 'the flow removes it when it is turned off or deleted' },
  unique: { 'serverId,nameKey': 'this command already exists in the server' },
};
