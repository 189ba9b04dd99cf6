import { ofServer, type Row, type Table } from './facts.ts';

/**
 * For an API key, `updatedAt` is the time when its value was created, because only a rotation changes the
 * row.
 */
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
  /** SHA-256 of an API key, in hexadecimal. */
  digest: string | null;
  /**
   * The digest and preview of the previous value, which is valid until `earlierUntil`; null if there is none.
   */
  earlierDigest: string | null;
  earlierPreview: string | null;
  earlierUntil: number | null;
  /** The encrypted value of an app secret. */
  sealed: string | null;
  /** The hosts that flows may send an app secret to; null for none. */
  hosts: string[] | null;
}

export const secret: Table<SecretRow> = {
  key: ['id'],
  json: ['hosts'],
  inExportOf: { userId: {}, creatorId: { isOfServer: true, isScanned: true } },
  sealed: 'sealed',
  // The user that the key acts as. App secrets have none.
  decidesAuthority: { of: 'userId' },
  goesWith: {
    ...ofServer,
    roleId: { table: 'role', by: 'foreignKey' },
    appId: { table: 'app', by: 'foreignKey' },
  },
  neverTaken: { digest: 'keys are random', earlierDigest: 'keys are random' },
};
