import type { Generated } from 'kysely';
import type { Numbered, Row, Table } from './facts.ts';

interface ServerRow extends Row, Numbered {
  name: string;
  welcome: string | null;
  description: string | null;
  icon: string | null;
  banner: string | null;
  domain: string | null;
  private: boolean;
  tint: number | null;
  creatorId: string;
  memberCount: number;
  /** Set once it is deleted: it is out of reach, and a sweep removes it. Null otherwise. */
  deletedAt: Generated<number | null>;
}

export const server: Table<ServerRow> = {
  key: ['id'],
  byEngine: ['ord', 'words'],
  decidesAuthority: { of: 'id', by: ['creatorId', 'deletedAt'] },
};
