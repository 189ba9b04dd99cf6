import { conditions, requireCondition } from '../../access/conditions.ts';
import { requireAdministrable } from '../../access/grants.ts';
import type { Reader } from '../../db/contract.ts';
import { searching } from '../../db/search/names.ts';
import { find, q, update } from '../../db/statements.ts';
import { isMemberInSight } from '../../db/sweep.ts';
import { Type } from '../../lib/schema.ts';
import type { WriteCall } from '../../operations/call.ts';
import { sampleId } from '../../operations/examples.ts';
import { body, optional, reference, text } from '../../operations/fields.ts';
import { read } from '../../operations/read.ts';
import { write } from '../../operations/write.ts';
import {
  aheadInServer,
  alters,
  load,
  MAX_NAMED,
  namedIdsIn,
  namedIn,
  ownServerId,
  requireSameServer,
  sent,
  touched,
} from '../common.ts';
import { isLive, loadInvite, useInvite } from '../invite.ts';
import { pageById, rowsById } from '../lists.ts';
import { hasLeft, recordDeparture } from './departure.ts';
import { addMember, isBanned, isMember } from './join.ts';
import { renaming } from './lookAlike.ts';
import {
  listedMember,
  listedMemberOf,
  nickname,
  serverMember,
  serverMemberEvents,
  timeoutUntil,
} from './memberRecord.ts';
import { removeMember, requireCreatorStays } from './remove.ts';
import { requireTimeOut } from './timeOut.ts';

/**
 * Selects the users who have one of these roles. The rows of a deleted role remain until a sweep deletes
 * them.
 */
const holdersOf = (serverId: string, roleIds: readonly string[]) =>
  q
    .selectFrom('userRole')
    .innerJoin('role', 'role.id', 'userRole.roleId')
    .select('userRole.userId')
    .where('userRole.roleId', 'in', roleIds)
    .where('role.serverId', '=', serverId);

export const serverMemberOperations = [
  read({
    operation: 'serverMembers',
    path: '/servers/:serverId/members',
    tag: 'serverMember',
    summary: "List a server's members",
    visible: 'member',
    query: Type.Object({
      q: optional(
        text({ max: 200, description: 'Search terms for the name, username or nickname', examples: ['ada'] }),
      ),
      userIds: optional(
        text({
          max: 4000,
          description: `Only these users, up to ${MAX_NAMED} ids separated by commas. Non-members are omitted`,
          examples: [sampleId('user')],
        }),
      ),
      usernames: optional(
        text({
          max: 4000,
          description: `Only these users, by up to ${MAX_NAMED} usernames separated by commas`,
          examples: ['ada,ben'],
        }),
      ),
      roleIds: optional(
        text({
          max: 4000,
          description: `Only members with one of these roles, up to ${MAX_NAMED} ids separated by commas`,
          examples: [sampleId('role')],
        }),
      ),
    }),
    answer: listedMember,
    list: 'many',
    async target({ db }, { params, query }) {
      namedIn(query, 'userIds');
      namedIn(query, 'usernames');
      namedIn(query, 'roleIds');
      return { serverId: (await load(db, 'server', params.serverId)).id };
    },
    ahead: aheadInServer,
    async run({ db }, input) {
      const { query } = input;
      const { serverId } = input.params;
      let rows = q
        .selectFrom('serverMember')
        .selectAll('serverMember')
        .where('serverMember.serverId', '=', serverId)
        .where(isMemberInSight);
      const userIds = namedIdsIn(query, 'userIds');
      const roleIds = namedIdsIn(query, 'roleIds');
      if (userIds?.length === 0 || roleIds?.length === 0) return { records: [], next: null };
      if (roleIds) rows = rows.where('serverMember.userId', 'in', holdersOf(serverId, roleIds));
      if (userIds) rows = rows.where('serverMember.userId', 'in', userIds);
      const usernames = namedIn(query, 'usernames');
      if (usernames) {
        const users = q.selectFrom('user').select('user.id').where('username', 'in', usernames);
        rows = rows.where('serverMember.userId', 'in', users);
      }
      if (query.q) rows = await searching(db, rows, 'serverMember', serverId, query.q);
      const page = await db.all(rowsById(rows, input, 'asc', 'serverMember.id'));
      const toListedMember = await listedMemberOf(db, serverId, page);
      return pageById(page, query.limit, toListedMember);
    },
  }),

  write({
    operation: 'serverMemberInsert',
    path: '/server-members',
    resource: 'serverMember',
    verb: 'insert',
    summary: 'Join a server, or add a user to it',
    description:
      'People with an account join by themselves or accept an invitation (`POST /api/people/invitations`). Users without an account and agents can be added, unless they have left the server.',
    body: body({
      serverId: optional(reference()),
      userId: optional(reference('Yourself by default')),
      inviteId: optional(reference('The id or code of an invite. Required for a private server')),
      nickname: optional(nickname),
    }),
    examples: {
      'Join a public server': { serverId: sampleId('server') },
      'Join with an invite': { inviteId: sampleId('invite') },
      'Add a user': { userId: sampleId('user') },
    },
    answer: serverMember,
    async existing({ db, principal }, { body }) {
      const { inviteId, userId = principal.userId } = body;
      const invite = inviteId === undefined ? undefined : await loadInvite(db, inviteId);
      const serverId = invite?.serverId ?? body.serverId ?? ownServerId(principal);
      const found = await db.first(find('serverMember', { serverId, userId }));
      return found && { id: found.id, serverId, visible: 'member' };
    },
    async target(call, { body }) {
      const { db, principal, now } = call;
      const invite = body.inviteId === undefined ? undefined : await loadInvite(db, body.inviteId);
      if (invite) await requireSameServer(call, body.serverId, invite.serverId);
      const { id: serverId, private: closed } = await load(
        db,
        'server',
        invite?.serverId ?? body.serverId ?? ownServerId(principal),
      );
      const user = await load(db, 'user', body.userId ?? principal.userId);
      const live = invite !== undefined && isLive(invite, now);
      const admission = {
        userId: user.id,
        open: !closed || live,
        closed: invite
          ? 'this invite has expired or has no uses left'
          : 'this server is private. You need an invite to join',
      };
      const invitation = await db.first(find('invitation', { serverId, userId: user.id }));
      const found = { serverId, admission, user, invite: live ? invite : undefined };
      // Deleting the invitation emits an event in the person's log.
      return { ...found, ...(invitation && { alsoIn: [user.id] }) };
    },
    async run(call, { body }, { serverId, user, invite }) {
      const facts = { isBanned: await isBanned(call.db, serverId, user) };
      requireCondition(call.principal, conditions.notBanned, facts);
      await requireConsent(call, serverId, user.id);
      const member = await addMember(call, { serverId, user, nickname: body.nickname ?? null });
      if (invite) await useInvite(call, invite);
      return member;
    },
  }),

  write({
    operation: 'serverMemberUpdate',
    path: '/server-members/:id',
    resource: 'serverMember',
    verb: 'update',
    summary: 'Change a nickname or time out a member',
    description:
      'A moderator can set `timeoutUntil`, at most 28 days ahead: until then, the member can read, report and delete, but cannot write, react or click, except in direct messages. Null ends the time-out.',
    body: body({
      id: optional(reference()),
      nickname: optional(nickname),
      timeoutUntil: optional(timeoutUntil),
    }),
    examples: { 'A nickname': { nickname: 'Ada' }, 'The end of a time-out': { timeoutUntil: null } },
    answer: serverMember,
    target: ({ db }, { params }) => memberTarget(db, params.id),
    async run(call, { body }, { member, serverId }) {
      const { db, emit, now } = call;
      const toListedMember = await listedMemberOf(db, serverId, [member]);
      const fields = sent(body, 'nickname', 'timeoutUntil');
      await requireTimeOut(call, member, body.timeoutUntil);
      if (!alters(member, fields)) return toListedMember(member);
      const user = await load(db, 'user', member.userId);
      const { nickname } = { ...member, ...fields };
      const { naming, renamed } = await renaming(call, { serverId, user, nickname });
      const set = { ...fields, ...naming, updatedAt: touched(member, now) };
      await db.run(update('serverMember', member.id, set));
      const changed = toListedMember({ ...member, ...set });
      await emit(serverMemberEvents.updated, changed);
      await renamed();
      return changed;
    },
  }),

  write({
    operation: 'serverMemberDelete',
    path: '/server-members/:id',
    resource: 'serverMember',
    verb: 'delete',
    summary: 'Leave a server or kick a member',
    description:
      'Revokes the keys that act as the member there, and the keys, webhooks and agents the member created there.',
    answer: serverMember,
    target: ({ db }, { params }) => memberTarget(db, params.id),
    async run(call, _input, { member, serverId }) {
      await requireCreatorStays(call, member);
      const removed = await removeMember(call, member);
      await recordDeparture(call, member);
      await requireAdministrable(call.db, call.principal, serverId);
      return removed;
    },
  }),
];

async function memberTarget(db: Reader, memberId: string) {
  const member = await load(db, 'serverMember', memberId);
  return { serverId: member.serverId, ownerId: member.userId, member };
}

/** Throws FORBIDDEN unless the user consents to becoming a member. An existing member has consented. */
async function requireConsent(
  { db, principal }: Pick<WriteCall, 'db' | 'principal'>,
  serverId: string,
  userId: string,
): Promise<void> {
  if (userId === principal.userId || (await isMember(db, serverId, userId))) return;
  const facts = {
    userId,
    hasAccount: (await db.first(find('person', { id: userId }))) !== undefined,
    hasLeft: await hasLeft(db, serverId, userId),
  };
  requireCondition(principal, conditions.consents, facts);
}
