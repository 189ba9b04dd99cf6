import { ofServer, type Row, type Table } from './facts.ts';

/** An invitation of one person to a server. A person has at most one unexpired invitation per server. */
interface InvitationRow extends Row {
  serverId: string;
  /** The invited person. */
  userId: string;
  /** The member who invited the person. */
  creatorId: string;
  /**
   * When the invitation expires and is deleted. Declining it extends this time, so that the person is not
   * invited again soon.
   */
  expiresAt: number;
  /** When the invitation was declined, or closed by a ban; null while it is open. */
  closedAt: number | null;
  /** When the server withdrew the invitation; null if it did not. */
  withdrawnAt: number | null;
}

export const invitation: Table<InvitationRow> = {
  key: ['id'],
  inExportOf: { userId: {}, creatorId: { isOfServer: true, isScanned: true } },
  goesWith: ofServer,
  keptFor: { ms: 0, since: 'expiresAt' },
  unique: { 'serverId,userId': 'this person has already been invited to the server' },
};
