import type { Generated } from 'kysely';
import { ofServer, type Row, type Table } from './facts.ts';

interface ChannelRow extends Row {
  serverId: string;
  /** A direct message (`dm`) has members instead of roles, and is not listed among channels. */
  kind: Generated<'channel' | 'dm'>;
  /** Empty for a direct message without a name. */
  name: string;
  /** The case-folded name, for comparisons. For a direct message, it is derived from the members. */
  nameKey: string;
  description: string | null;
  private: boolean;
  readonly: boolean;
  position: number;
  /** The category that the channel is listed under; ignored once that category is deleted. */
  categoryId: Generated<string | null>;
  creatorId: string;
  roleIds: readonly string[];
  /**
   * The members of a direct message, sorted; null for other channels. They change only when a merge replaces
   * an imported user with their account.
   */
  memberIds: Generated<readonly string[] | null>;
  /** The picture of a direct message. */
  image: Generated<string | null>;
  /** Slow mode: the minimum number of seconds between two messages from a member; 0 for none. */
  slowSeconds: Generated<number>;
  /** How long messages are kept, in days; null for the server's setting. */
  retentionDays: Generated<number | null>;
  /** Set while a sweep deletes rows in the channel. Reads must hide those rows (docs/decisions/0020). */
  isBeingSwept: Generated<boolean>;
}

export const channel: Table<ChannelRow> = {
  key: ['id'],
  inExportOf: { creatorId: { isOfServer: true, isScanned: true } },
  json: ['roleIds', 'memberIds'],
  isCached: true,
  goesWith: ofServer,
  outlives: { categoryId: 'removed by `removeCategoryFromChannels`, with an event for each channel' },
  unique: { 'serverId,nameKey': 'a channel with this name already exists in the server' },
};
