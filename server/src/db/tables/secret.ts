import { ofServer, type Row, type Table } from './facts.ts';

interface SecretRow extends Row {
  serverId: string;
  kind: 'apiKey' | 'appSecret';
  name: string;
  roleId: string | null;
  userId: string | null;
  appId: string | null;
  preview: string;
  expiresAt: number | null;
  creatorId: string | null;
  /** SHA-256 of an API key, hexadecimal. */
  digest: string | null;
  /** The encrypted value of an app's secret. */
  sealed: string | null;
}

export const secret: Table<SecretRow> = {
  key: ['id'],
  sealed: 'sealed',
  decidesAuthority: true,
  goesWith: {
    ...ofServer,
    roleId: { table: 'role', by: 'foreignKey' },
    appId: { table: 'app', by: 'foreignKey' },
  },
  neverTaken: { digest: 'keys are random' },
};
