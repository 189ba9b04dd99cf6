import type { Generated } from 'kysely';
import { type Numbered, ofServer, type Row, type Table } from './facts.ts';

interface ServerMemberRow extends Row, Numbered {
  serverId: string;
  userId: string;
  nickname: string | null;
  /** Whether the user is an agent. An index uses this to count a server's agents. */
  isAgent: boolean;
  /**
   * For an agent, the membership of the user who created it, if they are a member. The agent's membership
   * ends when theirs does.
   */
  sponsorId: string | null;
  /** The skeletons of the shown name and of the username; null until a background job has computed them. */
  nameSkeleton: string | null;
  usernameSkeleton: string | null;
  /**
   * The owner of the name that this member's name resembles: the user id of a member, `admin` for a platform
   * admin, or `platform` for the product; null if there is none.
   */
  lookAlike: string | null;
  /**
   * The time until which the member may only read, in milliseconds since the Unix epoch; null if there is no
   * time-out.
   */
  timeoutUntil: Generated<number | null>;
}

export const serverMember: Table<ServerMemberRow> = {
  key: ['id'],
  inExportOf: { userId: {} },
  byEngine: ['ord'],
  // An insert also changes permissions, because nodes may have cached that the person is not a member.
  decidesAuthority: { of: 'serverId', by: ['serverId', 'userId', 'timeoutUntil'], byInsert: 'userId' },
  goesWith: { ...ofServer, sponsorId: { table: 'serverMember', by: 'sweep' } },
  unique: { 'serverId,userId': 'this user is already a member of the server' },
};
