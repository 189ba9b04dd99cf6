import type { Generated } from 'kysely';
import type { Row, Table } from './facts.ts';

interface UserRow extends Row {
  username: string;
  name: string;
  /** The folded name for searches in the platform's lists; null until a background job has computed it. */
  nameFolded: Generated<string | null>;
  image: string | null;
  type: 'person' | 'agent';
  platformAdmin: boolean;
  /**
   * The home server of an agent, which is the first one that it joined. Its keys can only be created there.
   */
  homeServerId: string | null;
  /**
   * The user who created the agent, by creating a key, a webhook or a flow; null if the operator or an import
   * created it.
   */
  creatorId: string | null;
  /**
   * When the user was suspended, in milliseconds since the Unix epoch; null if they are not. A suspension
   * disables all their keys and sessions.
   */
  suspendedAt: number | null;
  /**
   * For an agent that was suspended together with a user, that user, who created the agent directly or
   * through another agent. Otherwise null.
   */
  suspendedWithId: string | null;
  /** The users who can send this user direct messages. */
  directMessages: Generated<'anybody' | 'nobody'>;
}

export const user: Table<UserRow> = {
  key: ['id'],
  inExportOf: { id: {}, creatorId: {} },
  decidesAuthority: { of: 'id', by: ['type', 'platformAdmin', 'suspendedAt'] },
  isPermanent: true,
  outlives: { homeServerId: 'an agent stays the author of its messages' },
  unique: { username: 'this username is taken' },
};
