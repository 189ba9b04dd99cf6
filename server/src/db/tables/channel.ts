import type { Generated } from 'kysely';
import { ofServer, type Row, type Table } from './facts.ts';

interface ChannelRow extends Row {
  serverId: string;
  name: string;
  /** The case-folded name, for comparisons. */
  nameKey: string;
  description: string | null;
  private: boolean;
  readonly: boolean;
  position: number;
  creatorId: string;
  roleIds: readonly string[];
  /** Set while a sweep deletes rows in the channel, which reads must hide (docs/decisions/0020). */
  isBeingSwept: Generated<boolean>;
}

export const channel: Table<ChannelRow> = {
  key: ['id'],
  inExportOf: { creatorId: { isOfServer: true, isScanned: true } },
  json: ['roleIds'],
  isCached: true,
  goesWith: ofServer,
  unique: { 'serverId,nameKey': 'a channel with this name already exists in the server' },
};
