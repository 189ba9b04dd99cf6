import { ofServer, type Table } from './facts.ts';

/** A mention of many members, of whom some are yet to be notified. Its mark (`sweep`) has the same id. */
interface GroupMentionRow {
  id: string;
  serverId: string;
  messageId: string;
  /** `role`: those with the role `roleId`. `here`: those who are online. */
  group: 'everyone' | 'here' | 'role';
  roleId: string | null;
  /** The last user who was looked at: users are notified in the order of their ids. */
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
