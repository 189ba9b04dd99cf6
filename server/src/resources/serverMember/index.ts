import Type from 'typebox';
import { requireAdministrable } from '../../access/grants.ts';
import type { Reader } from '../../db/contract.ts';
import { searching } from '../../db/search.ts';
import { q, remove, update } from '../../db/statements.ts';
import { read, write } from '../../http/endpoint.ts';
import { sampleId } from '../../http/examples.ts';
import { body, optional, reference, text } from '../../http/fields.ts';
import { load, pageById, requireSameServer, touched } from '../common.ts';
import { isLive, toInvite } from '../invite.ts';
import { revokeKeys } from '../secret/revoke.ts';
import { rolesHeld } from '../userRole.ts';
import { removeWebhooks } from '../webhook/remove.ts';
import { addMember, countMembers } from './join.ts';
import { listedMember, nickname, presentMembers, serverMember } from './record.ts';

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
    event: false,
    async target(call, { body }) {
      const { db, principal, now } = call;
      const invite = body.inviteId === undefined ? undefined : await load(db, 'invite', body.inviteId);
      if (invite) await requireSameServer(call, body.serverId, invite.serverId);
      const { id: serverId, private: closed } = await load(
        db,
        'server',
        invite?.serverId ?? body.serverId ?? principal.serverId,
      );
      const user = await load(db, 'user', body.userId ?? principal.userId);
      const live = invite !== undefined && isLive(invite, now);
      const admission = { userId: user.id, open: !closed || live };
      return { serverId, admission, user, invite: live ? invite : undefined };
    },
    async run(call, { body }, { serverId, user, invite }) {
      const { db, emit, now } = call;
      const member = await addMember(call, { serverId, user, nickname: body.nickname ?? null });
      if (invite) {
        const set = { uses: invite.uses + 1, updatedAt: touched(invite, now) };
        await db.run(update('invite', invite.id, set));
        await emit({ type: 'invite.updated', serverId, data: toInvite({ ...invite, ...set }) });
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
    async run({ db, now }, { body }, { member, serverId }) {
      const present = await presentMembers(db, serverId, [member]);
      const set = {
        ...(body.nickname !== undefined && { nickname: body.nickname }),
        updatedAt: touched(member, now),
      };
      await db.run(update('serverMember', member.id, set));
      return present({ ...member, ...set });
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
      const { db, emit, principal } = call;
      const { userId } = member;
      const present = await presentMembers(db, serverId, [member]);
      const held = await rolesHeld(db, { serverId, userId });
      await revokeKeys(call, { serverId, userId });
      await removeWebhooks(call, { serverId, userId });
      await db.run(remove('userRole', { serverId, userId }));
      for (const data of held) await emit({ type: 'userRole.deleted', serverId, data });
      await db.run(remove('indicator', { serverId, userId }));
      await db.run(remove('serverMember', { id: member.id }));
      await countMembers(call, serverId, -1);
      await requireAdministrable(db, principal, serverId);
      return present(member);
    },
  }),
];

async function memberTarget(db: Reader, memberId: string) {
  const member = await load(db, 'serverMember', memberId);
  return { serverId: member.serverId, ownerId: member.userId, member };
}
