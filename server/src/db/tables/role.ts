import type { Generated } from 'kysely';
import { type Flags, flagNames } from '../../lib/flags.ts';
import { ofServer, type Row, type Table } from './facts.ts';

interface RoleRow extends Row, Flags {
  serverId: string;
  name: string;
  color: string | null;
  isDefault: boolean;
  /** Whether `@name` in a message notifies everyone with the role. */
  mentionable: Generated<boolean>;
  /** Marks the role that the server's creator received when the server was created. It cannot be deleted. */
  isCreatorRole: boolean;
}

export const role: Table<RoleRow> = {
  key: ['id'],
  decidesAuthority: { of: 'serverId', by: ['serverId', ...flagNames] },
  goesWith: ofServer,
};
