import type { Row, Table } from './facts.ts';

interface UserRow extends Row {
  username: string;
  name: string;
  image: string | null;
  type: 'person' | 'agent';
  platformAdmin: boolean;
  /** Of an agent: the first server that it joined, in which alone keys are minted for it. */
  homeServerId: string | null;
  /** Of an agent: the user who made it, by minting a key or making a webhook; null if the operator did. */
  creatorId: string | null;
  /** Milliseconds since the Unix epoch; null unless they are suspended: then none of their keys and sessions counts. */
  suspendedAt: number | null;
  /** Of an agent that was suspended with a user: that user, who has made it, or made the agent that has. Null otherwise. */
  suspendedWithId: string | null;
}

export const user: Table<UserRow> = {
  key: ['id'],
  decidesAuthority: { of: 'id', by: ['type', 'platformAdmin', 'suspendedAt'] },
  isPermanent: true,
  outlives: { homeServerId: 'an agent stays the author of its messages' },
  unique: { username: 'this username is taken' },
};
