import { ofServer, type Row, type Table } from './facts.ts';

interface InviteRow extends Row {
  serverId: string;
  creatorId: string;
  maxUses: number | null;
  uses: number;
  expiresAt: number | null;
  /** The last part of a short link; null for an invite of an earlier version. */
  code: string | null;
}

export const invite: Table<InviteRow> = {
  key: ['id'],
  inExportOf: { creatorId: { isOfServer: true, isScanned: true } },
  goesWith: ofServer,
  unique: { code: 'another invite has this code' },
};
