import Type from 'typebox';
import { requireAdministrable } from '../access/grants.ts';
import type { Reader } from '../db/contract.ts';
import { searching } from '../db/search.ts';
import { find, insert, q, remove, update } from '../db/statements.ts';
import type { RowOf } from '../db/tables.ts';
import { read, type Work, write } from '../http/endpoint.ts';
import { sampleId } from '../http/examples.ts';
import { body, id, name, nullable, optional, record, reference, text } from '../http/fields.ts';
import { load, pageById, recordOf, requireSameServer, touched } from './common.ts';
import { isLive } from './invite.ts';
import { defaultRole } from './role.ts';
import { revokeKeys } from './secret/revoke.ts';
import { toUser, user } from './user.ts';
import { giveRole } from './userRole.ts';

const nickname = nullable(name('What the member is called in this server', 'Ada'));
const fields = { serverId: id(), userId: id(), nickname };

const serverMember = record('ServerMember', fields);
const toMember = recordOf(serverMember);
const listedMember = record('ListedServerMember', {
  ...fields,
  user: Type.Object(user.properties),
  roleIds: Type.Array(id()),
});

export const serverMemberEndpoints = [
  read({
    operation: 'serverMembers',
    path: '/servers/:serverId/members',
    tag: 'serverMember',
    summary: 'Members of a server',
    visible: 'member',
    query: Type.Object({
      q: optional(
        text({ max: 200, description: 'Words of the name, username or nickname', examples: ['ada'] }),
      ),
    }),
    answer: listedMember,
    list: 'many',
    target: async ({ db }, { params }) => ({ serverId: (await load(db, 'server', params.serverId)).id }),
    async run({ db }, { params, query, after }) {
      const { serverId } = params;
      let rows = q
        .selectFrom('serverMember')
        .selectAll('serverMember')
        .where('serverMember.serverId', '=', serverId)
        .orderBy('serverMember.id')
        .limit(query.limit + 1);
      if (query.q) rows = searching(rows, db.dialect, 'serverMember', serverId, query.q);
      if (after) rows = rows.where('serverMember.id', '>', after[0] as string);
      const page = await db.all(rows);
      const present = await presentMembers(db, serverId, page);
      return pageById(page, query.limit, present);
    },
  }),

  write({
    operation: 'serverMemberInsert',
    conflict: true,
    method: 'POST',
    path: '/server-members',
    resource: 'serverMember',
    verb: 'insert',
    summary: 'Join a server, or add a user to it',
    body: body({
      serverId: optional(reference()),
      userId: optional(reference('Yourself if left out')),
      inviteId: optional(reference('Lets you into a private server')),
      nickname: optional(nickname),
    }),
    examples: {
      'Join a public server': { serverId: sampleId('server') },
      'Join with an invite': { inviteId: sampleId('invite') },
      'Add a user': { userId: sampleId('user') },
    },
    answer: serverMember,
    async target(call, { body }) {
      const { db, principal, now } = call;
      const invite = body.inviteId === undefined ? undefined : await load(db, 'invite', body.inviteId);
      if (invite) await requireSameServer(call, body.serverId, invite.serverId);
      const { id: serverId, private: closed } = await load(
        db,
        'server',
        invite?.serverId ?? body.serverId ?? principal.serverId,
      );
      const { id: userId } = await load(db, 'user', body.userId ?? principal.userId);
      const live = invite !== undefined && isLive(invite, now);
      return { serverId, admission: { userId, open: !closed || live }, invite: live ? invite : undefined };
    },
    async run(call, { body }, { serverId, admission, invite }) {
      const { db, now } = call;
      const member = await addMember(call, {
        serverId,
        userId: admission.userId,
        nickname: body.nickname ?? null,
      });
      if (invite) {
        await db.run(update('invite', invite.id, { uses: invite.uses + 1, updatedAt: touched(invite, now) }));
      }
      return member;
    },
  }),

  write({
    operation: 'serverMemberUpdate',
    method: 'PATCH',
    path: '/server-members/:id',
    resource: 'serverMember',
    verb: 'update',
    summary: 'Change a nickname',
    body: body({ id: optional(reference()), nickname: optional(nickname) }),
    answer: serverMember,
    target: ({ db }, { params }) => memberTarget(db, params.id),
    async run({ db, now }, { body }, { member }) {
      const set = {
        ...(body.nickname !== undefined && { nickname: body.nickname }),
        updatedAt: touched(member, now),
      };
      await db.run(update('serverMember', member.id, set));
      return toMember({ ...member, ...set });
    },
  }),

  write({
    operation: 'serverMemberDelete',
    method: 'DELETE',
    path: '/server-members/:id',
    resource: 'serverMember',
    verb: 'delete',
    summary: 'Leave a server, or kick a member; keys that act as that user there are revoked',
    answer: serverMember,
    target: ({ db }, { params }) => memberTarget(db, params.id),
    async run(call, _input, { member, serverId }) {
      const { db, principal } = call;
      const { userId } = member;
      await revokeKeys(call, { serverId, userId });
      await db.run(remove('userRole', { serverId, userId }));
      await db.run(remove('indicator', { serverId, userId }));
      await db.run(remove('serverMember', { id: member.id }));
      await countMembers(db, serverId, -1);
      await requireAdministrable(db, principal, serverId);
      return toMember(member);
    },
  }),
];

async function memberTarget(db: Reader, memberId: string) {
  const member = await load(db, 'serverMember', memberId);
  return { serverId: member.serverId, ownerId: member.userId, member };
}

/** What a read adds to members: their users and roles, looked up for the whole page at once. */
async function presentMembers(db: Reader, serverId: string, page: RowOf<'serverMember'>[]) {
  const userIds = page.map(({ userId }) => userId);
  const [users, roles] =
    userIds.length === 0
      ? [[], []]
      : await Promise.all([
          db.all(q.selectFrom('user').selectAll().where('id', 'in', userIds)),
          db.all(
            q
              .selectFrom('userRole')
              .selectAll()
              .where('serverId', '=', serverId)
              .where('userId', 'in', userIds)
              .orderBy('id'),
          ),
        ]);
  const userOf = new Map(users.map((user) => [user.id, toUser(user)]));
  const rolesOf = Map.groupBy(roles, ({ userId }) => userId);
  return (member: RowOf<'serverMember'>) => ({
    ...toMember(member),
    user: userOf.get(member.userId),
    roleIds: (rolesOf.get(member.userId) ?? []).map(({ roleId }) => roleId),
  });
}

/** Makes a user a member, with the server's default role. Throws `UniqueViolation` for one who is a member. */
export async function addMember(
  work: Pick<Work, 'db' | 'newRow'>,
  fields: { serverId: string; userId: string; nickname?: string | null },
) {
  const { db, newRow } = work;
  const { serverId, userId } = fields;
  const row = { ...newRow(), nickname: null, ...fields };
  await db.run(insert('serverMember', row));
  await countMembers(db, serverId, 1);
  const role = await defaultRole(db, serverId);
  if (role) await giveRole(work, { serverId, userId, roleId: role.id });
  return toMember(row);
}

async function countMembers(db: Work['db'], serverId: string, change: number): Promise<void> {
  await db.run(
    q
      .updateTable('server')
      .set((eb) => ({ memberCount: eb('memberCount', '+', change) }))
      .where('id', '=', serverId),
  );
}

/** True if the user is a member of the server. */
export const isMember = async (db: Reader, serverId: string, userId: string): Promise<boolean> =>
  (await db.first(find('serverMember', { serverId, userId }))) !== undefined;
