import { ofServer, type Row, type Table } from './facts.ts';

interface AppInstallRow extends Row {
  serverId: string;
  appId: string;
  creatorId: string;
  config: unknown;
}

export const appInstall: Table<AppInstallRow> = {
  key: ['id'],
  inExportOf: { creatorId: { isOfServer: true, isScanned: true } },
  json: ['config'],
  goesWith: { ...ofServer, appId: { table: 'app', by: 'foreignKey' } },
  unique: { 'serverId,appId': 'this app is already installed in the server' },
};
