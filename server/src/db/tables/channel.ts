import type { Generated } from 'kysely';
import { ofServer, type Row, type Table } from './facts.ts';

interface ChannelRow extends Row {
  serverId: string;
  name: string;
  /** The name as it is compared: case folded. */
  nameKey: string;
  description: string | null;
  private: boolean;
  readonly: boolean;
  position: number;
  creatorId: string;
  roleIds: readonly string[];
  /** True while rows in it are out of sight, and reads must leave them out (docs/decisions/0020). */
  isBeingSwept: Generated<boolean>;
}

export const channel: Table<ChannelRow> = {
  key: ['id'],
  json: ['roleIds'],
  goesWith: ofServer,
  unique: { 'serverId,nameKey': 'name: a channel of this name is in the server already' },
};
