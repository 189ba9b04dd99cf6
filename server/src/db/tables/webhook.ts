import { ofServer, type Row, type Table } from './facts.ts';

/**
 * An outgoing webhook (`out`) sends events to a URL. An incoming webhook (`in`) posts messages from external
 * services to a channel.
 */
interface WebhookRow extends Row {
  serverId: string;
  direction: 'in' | 'out';
  name: string;
  /** The URL that receives the events; null for `in`. */
  url: string | null;
  /** The event types to send; null for all types. */
  types: readonly string[] | null;
  /**
   * For `out`, the only channel whose events are sent; null for all channels. For `in`, the channel in which
   * messages are posted.
   */
  channelId: string | null;
  enabled: boolean;
  disabledReason: string | null;
  /** The role whose permissions the webhook has. */
  roleId: string;
  /** The agent that posts messages for `in`; null for `out`. */
  userId: string | null;
  creatorId: string;
  /** The template with which an `in` webhook converts JSON bodies; null to detect their format. */
  template: string | null;
  /** The encrypted secret that signs deliveries. */
  sealed: string | null;
  /** Previous secrets, encrypted. Each also signs deliveries until the time `until`. */
  earlier: readonly { sealed: string; until: number }[];
  /** SHA-256 of the token of an `in` webhook, in hexadecimal. */
  digest: string | null;
}

export const webhook: Table<WebhookRow> = {
  key: ['id'],
  inExportOf: { creatorId: { isOfServer: true, isScanned: true } },
  json: ['earlier', 'types'],
  sealed: 'sealed',
  // Nodes cache which webhooks are enabled.
  decidesAuthority: { of: 'serverId', byInsert: 'serverId' },
  goesWith: {
    ...ofServer,
    channelId: { table: 'channel', by: 'write' },
    roleId: { table: 'role', by: 'foreignKey' },
  },
  neverTaken: { digest: 'tokens are random' },
};
