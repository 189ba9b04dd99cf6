import type { Reader } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { find, insert, prepare, q, update } from '../../db/statements.ts';
import { isMemberInSight } from '../../db/sweep.ts';
import { invalid } from '../../errors.ts';
import type { Work } from '../../operations/work.ts';
import { isUnclaimed } from '../placeholder.ts';
import { defaultRole } from '../role.ts';
import { toUser } from '../user.ts';
import { namingOf } from './lookAlike.ts';
import { serverMemberEvents, toLookAlike, toMember } from './memberRecord.ts';

interface Newcomer {
  serverId: string;
  user: RowOf<'user'>;
  nickname?: string | null;
}

/** Facts about a new member that the consequences of `serverMember.created` need. */
export interface Entry {
  /** The roles to assign. */
  roleIds: readonly string[];
  /** Whether `memberCount` already includes the member. */
  isCounted: boolean;
}

/**
 * Adds a user to a server, with its default role. Throws UniqueViolation if they are already a member, and
 * ApiError if they are suspended, which includes everybody whose account is being erased.
 */
export async function addMember(work: Work, newcomer: Newcomer) {
  if (newcomer.user.suspendedAt !== null)
    throw invalid('wrong_kind', 'userId', 'is suspended or has closed their account');
  const role = await defaultRole(work.db, newcomer.serverId);
  return addMemberWith(work, newcomer, { roleIds: role ? [role.id] : [], isCounted: false });
}

/**
 * Adds a user to a server with the given roles. The consequences of the event assign the roles and count the
 * member. For an agent without a home, this server becomes its home.
 */
export async function addMemberWith({ db, emit, newRow }: Work, newcomer: Newcomer, entry: Entry) {
  const { serverId, user, nickname = null } = newcomer;
  const { creatorId } = user;
  const sponsor =
    creatorId === null ? undefined : await db.first(find('serverMember', { serverId, userId: creatorId }));
  const left = await db.first(find('departure', { serverId, userId: user.id }));
  const row = {
    ...newRow(),
    serverId,
    userId: user.id,
    timeoutUntil: left?.timeoutUntil ?? null,
    nickname,
    isAgent: user.type === 'agent',
    sponsorId: sponsor?.id ?? null,
    ...(await namingOf(db, { serverId, user, nickname })),
  };
  await db.run(insert('serverMember', row));
  if (user.type === 'agent' && user.homeServerId === null)
    await db.run(update('user', user.id, { homeServerId: serverId }));
  const member = {
    ...toMember(row),
    lookAlike: toLookAlike(row.lookAlike),
    unclaimed: user.type === 'person' && (await isUnclaimed(db, user.id)),
    user: toUser(user),
    roleIds: [...entry.roleIds],
  };
  await emit(serverMemberEvents.created, member, { known: entry });
  return member;
}

/** Maximum length of the chain from an agent to its creators that `isBanned` follows. */
const MAX_CHAIN = 20;

/**
 * Whether the user is banned from the server. An agent is also banned if any user in its chain of creators
 * is banned.
 */
export async function isBanned(db: Reader, serverId: string, user: RowOf<'user'>): Promise<boolean> {
  let one: RowOf<'user'> | undefined = user;
  for (let looked = 0; one && looked < MAX_CHAIN; looked++) {
    if (await db.first(find('serverBan', { serverId, userId: one.id }))) return true;
    one = one.creatorId === null ? undefined : await db.first(find('user', { id: one.creatorId }));
  }
  return false;
}

const memberInSight = prepare(
  (p: { serverId: string; userId: string }) =>
    q
      .selectFrom('serverMember')
      .select('id')
      .where('serverId', '=', p.serverId)
      .where('userId', '=', p.userId)
      .where(isMemberInSight),
  { serverMember: { serverId: 'serverId', userId: 'userId' } },
);

/**
 * Whether the user is listed as a member. Agents that are being removed with their creator are not listed.
 */
export const isMember = async (db: Reader, serverId: string, userId: string): Promise<boolean> =>
  (await db.first(memberInSight({ serverId, userId }))) !== undefined;
