import type { Generated } from 'kysely';
import type { Numbered, Row, Table } from './facts.ts';

interface ServerRow extends Row, Numbered {
  name: string;
  /** The case-folded name for searches in the platform's lists; null until upkeep has computed it. */
  nameFolded: Generated<string | null>;
  welcome: string | null;
  description: string | null;
  icon: string | null;
  banner: string | null;
  domain: string | null;
  private: boolean;
  tint: number | null;
  creatorId: string;
  memberCount: number;
  /** The users who may see earlier versions of messages, besides the authors. */
  editHistory: Generated<'everyone' | 'moderators'>;
  /** Whether agents can have direct messages. */
  directAgents: Generated<boolean>;
  /** Whether links in messages get previews. */
  linkPreviews: Generated<boolean>;
  /** The retention of messages in channels, in days; null to keep them. */
  retentionDays: Generated<number | null>;
  /** When the server was deleted (a tombstone): it is unreachable, and a sweep removes it. Otherwise null. */
  deletedAt: Generated<number | null>;
}

export const server: Table<ServerRow> = {
  key: ['id'],
  inExportOf: { creatorId: { isOfServer: true } },
  byEngine: ['ord'],
  decidesAuthority: { of: 'id', by: ['creatorId', 'deletedAt'] },
};
