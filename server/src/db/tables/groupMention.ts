import { ofServer, type Table } from './facts.ts';

/** A mention of many members that is still being delivered. Its row in `sweep` has the same id. */
interface GroupMentionRow {
  id: string;
  serverId: string;
  messageId: string;
  /**
   * `role` mentions the members with the role `roleId`; `here`, the members who are online; `keyword`, the
   * members with a keyword that occurs in the message.
   */
  group: 'everyone' | 'here' | 'keyword' | 'role';
  roleId: string | null;
  /** The last user who was notified. Users are notified in id order. */
  upTo: string;
}

export const groupMention: Table<GroupMentionRow> = {
  key: ['id'],
  goesWith: ofServer,
  outlives: {
    messageId: 'the next step of its sweep finds the message missing',
    roleId: 'the next step of its sweep finds nobody with the role',
  },
};
