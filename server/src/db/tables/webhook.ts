import { ofServer, type Row, type Table } from './facts.ts';

/** Where events are sent to (`out`), or what lets others post messages into a channel (`in`). */
interface WebhookRow extends Row {
  serverId: string;
  direction: 'in' | 'out';
  name: string;
  /** Where events are sent; null for `in`. */
  url: string | null;
  /** Types of the events that are sent; null for all. */
  types: readonly string[] | null;
  /** Whose events alone are sent; or where messages are posted. */
  channelId: string | null;
  enabled: boolean;
  disabledReason: string | null;
  /** What it may see or do is what this role may. */
  roleId: string;
  /** The agent whose messages those of `in` are; null for `out`. */
  userId: string | null;
  creatorId: string;
  /** The encrypted secret that signs what is sent. */
  sealed: string | null;
  /** Those before, encrypted, which sign too until then. */
  earlier: readonly { sealed: string; until: number }[];
  /** SHA-256 of the token of `in`, hexadecimal. */
  digest: string | null;
}

export const webhook: Table<WebhookRow> = {
  key: ['id'],
  json: ['earlier', 'types'],
  sealed: 'sealed',
  decidesAuthority: true,
  goesWith: {
    ...ofServer,
    channelId: { table: 'channel', by: 'write' },
    roleId: { table: 'role', by: 'foreignKey' },
  },
  neverTaken: { digest: 'tokens are random' },
};
