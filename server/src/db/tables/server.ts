import type { Generated } from 'kysely';
import type { Numbered, Row, Table } from './facts.ts';

interface ServerRow extends Row, Numbered {
  name: string;
  /**
   * The case-folded name for searches in the platform's lists; null until a background job has computed it.
   */
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
  /** How long messages in channels are kept, in days; null to keep them forever. */
  retentionDays: Generated<number | null>;
  /**
   * When the server was deleted (a tombstone); otherwise null. A deleted server cannot be accessed, and a
   * sweep removes it.
   */
  deletedAt: Generated<number | null>;
}

export const server: Table<ServerRow> = {
  key: ['id'],
  inExportOf: { creatorId: { isOfServer: true } },
  byEngine: ['ord'],
  decidesAuthority: { of: 'id', by: ['creatorId', 'deletedAt'] },
};
