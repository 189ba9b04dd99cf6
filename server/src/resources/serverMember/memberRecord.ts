import type { Reader } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { q } from '../../db/statements.ts';
import { eventsOf } from '../../feed/eventKind.ts';
import { Type } from '../../lib/schema.ts';
import { flag, id, name, nullable, oneOf, record, time } from '../../operations/fields.ts';
import type { Work } from '../../operations/work.ts';
import { recordOf } from '../common.ts';
import { toUser, user } from '../user.ts';

/** Number of members per read. */
const BATCH_MEMBERS = 500;

export const nickname = nullable(name("The member's name in this server", 'Ada'));
export const timeoutUntil = nullable(
  time(
    'The end of a time-out: until then, the member can read, report and delete, but cannot write, react or click, except in direct messages. Null, or a time in the past, if they are not timed out',
  ),
);

const fields = { serverId: id(), userId: id(), nickname, timeoutUntil };

/** The response to writes. */
export const serverMember = record('ServerMember', fields);
export const toMember = recordOf(serverMember);

const lookAlike = Type.Object(
  {
    of: oneOf(
      ['member', 'admin', 'platform'],
      '`member` is a member of the server; `admin`, a platform admin; `platform`, the product',
    ),
    userId: nullable(
      id('The member whose name it resembles. They may have left or changed their name since then'),
    ),
  },
  {
    description:
      "The match if this member's name or username resembles another name; null otherwise. Set when names change",
  },
);

/** The response to reads, and the data of events. */
export const listedMember = record('ListedServerMember', {
  ...fields,
  lookAlike: nullable(lookAlike),
  unclaimed: flag('Whether the user was imported, and no account has claimed them yet'),
  user: Type.Object(user.properties),
  roleIds: Type.Array(id()),
});

export const serverMemberEvents = eventsOf(
  'serverMember',
  { data: listedMember, audience: 'member' },
  {
    created: 'A user became a member',
    updated: "A member's nickname, roles or time-out changed",
    deleted: 'A member left or was removed',
  },
);

/**
 * Loads the users and roles of a page of members. Returns a function that converts a row to a `listedMember`.
 */
export async function listedMemberOf(
  db: Reader,
  serverId: string,
  page: readonly Pick<RowOf<'serverMember'>, 'userId'>[],
) {
  const userIds = page.map(({ userId }) => userId);
  const [users, roles] =
    userIds.length === 0
      ? [[], []]
      : await Promise.all([
          db.all(
            q
              .selectFrom('user')
              .leftJoin('placeholder', (join) =>
                join.onRef('placeholder.id', '=', 'user.id').on('placeholder.accountId', 'is', null),
              )
              .selectAll('user')
              .select('placeholder.id as placeholderId')
              .where('user.id', 'in', userIds),
          ),
          db.all(
            q
              .selectFrom('userRole')
              // The rows of a deleted role remain until they are swept.
              .innerJoin('role', 'role.id', 'userRole.roleId')
              .select(['userRole.userId', 'userRole.roleId'])
              .where('userRole.serverId', '=', serverId)
              .where('userRole.userId', 'in', userIds)
              .orderBy('userRole.id'),
          ),
        ]);
  const userOf = new Map(users.map((user) => [user.id, toUser(user)]));
  const unclaimed = new Set(users.map(({ placeholderId }) => placeholderId));
  const rolesOf = Map.groupBy(roles, ({ userId }) => userId);
  return (member: RowOf<'serverMember'>) => ({
    ...toMember(member),
    lookAlike: toLookAlike(member.lookAlike),
    unclaimed: unclaimed.has(member.userId),
    user: userOf.get(member.userId) as ReturnType<typeof toUser>,
    roleIds: (rolesOf.get(member.userId) ?? []).map(({ roleId }) => roleId),
  });
}

/** Returns a member's lookalike mark, as it is shown in records. */
export const toLookAlike = (stored: string | null) =>
  stored === null
    ? null
    : stored === 'admin' || stored === 'platform'
      ? { of: stored, userId: null }
      : { of: 'member', userId: stored };

/** Emits `serverMember.updated` for members whose roles have changed. */
export async function emitRoles(
  { db, emit }: Work,
  serverId: string,
  userIds: readonly string[],
): Promise<void> {
  for (let first = 0; first < userIds.length; first += BATCH_MEMBERS) {
    const members = await db.all(
      q
        .selectFrom('serverMember')
        .selectAll()
        .where('serverId', '=', serverId)
        .where('userId', 'in', userIds.slice(first, first + BATCH_MEMBERS)),
    );
    // The members are sorted here, because with `order by`, SQLite would scan all members through the index
    // on ids.
    members.sort((one, other) => (one.id < other.id ? -1 : 1));
    const toListedMember = await listedMemberOf(db, serverId, members);
    for (const member of members) {
      await emit(serverMemberEvents.updated, toListedMember(member));
    }
  }
}
