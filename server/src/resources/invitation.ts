import { conditions, requireCondition } from '../access/conditions.ts';
import { type Reader, UniqueViolation } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import { find, insert, q, remove, update } from '../db/statements.ts';
import { invalid, notFound } from '../errors.ts';
import { eventsOf } from '../feed/eventKind.ts';
import type { WriteCall } from '../operations/call.ts';
import { body, id, nullable, optional, record, reference, text, time } from '../operations/fields.ts';
import { read } from '../operations/read.ts';
import type { Work } from '../operations/work.ts';
import { write } from '../operations/write.ts';
import { load, ownTarget, recordOf, serverIdOf, touched } from './common.ts';
import { inviter, preview, toInviter, toPreview } from './invitePreview.ts';
import { pageById, rowsById } from './lists.ts';
import { addMember, isBanned, isMember } from './serverMember/join.ts';
import { serverMember } from './serverMember/memberRecord.ts';
import { MAX_USERNAME_CHARACTERS } from './user.ts';

const DAY_MS = 24 * 60 * 60_000;
/** How long a person can accept an invitation. */
export const OPEN_DAYS = 30;
/** The number of days for which a person who declined cannot be invited to the server again. */
const DECLINED_DAYS = 365;
/** Maximum open invitations per person, across all servers. */
const MAX_OPEN = 100;
/** Maximum invitations of one person by the same member in `OPEN_DAYS`, across all servers. */
const MAX_BY_MEMBER = 10;

const invitation = record('Invitation', {
  serverId: id(),
  userId: id('The invited person'),
  creatorId: id('The member who invited them'),
  expiresAt: time(),
  server: preview,
  inviter: nullable(inviter),
});
const toRecord = recordOf(invitation);

/** These events are in the log of the invited person, who cannot see the server's log yet. */
export const invitationEvents = eventsOf(
  'invitation',
  { data: invitation, audience: 'person', log: 'user' },
  {
    created: 'You were invited to a server',
    deleted:
      'You accepted or declined an invitation, joined the server or were banned from it, or the server was deleted',
  },
);

/** Selects a person's open invitations to servers that exist. */
const openOf = (userId: string, now: number) =>
  q
    .selectFrom('invitation')
    .innerJoin('server', 'server.id', 'invitation.serverId')
    .selectAll('invitation')
    .where('invitation.userId', '=', userId)
    .where('invitation.closedAt', 'is', null)
    .where('invitation.expiresAt', '>', now)
    .where('server.deletedAt', 'is', null);

export const invitationOperations = [
  read({
    operation: 'invitations',
    people: true,
    path: '/invitations',
    tag: 'invitation',
    summary: 'List the invitations you can accept',
    description: 'Returns invitations to all servers, newest first.',
    visible: 'self',
    answer: invitation,
    list: 'many',
    target: ownTarget,
    async run({ db, now, principal }, input) {
      const page = await db.all(rowsById(openOf(principal.userId, now), input, 'desc', 'invitation.id'));
      return pageById(page, input.query.limit, await shownOf(db, page));
    },
  }),

  write({
    operation: 'invitationInsert',
    people: true,
    path: '/invitations',
    resource: 'invitation',
    verb: 'insert',
    summary: 'Invite a person to a server',
    description: `The person becomes a member if they accept within ${OPEN_DAYS} days. Until then, and for a year after they decline, they cannot be invited to the server again. Only people with an account can be invited. Add others with \`POST /api/v1/server-members\`.`,
    body: body({
      serverId: reference(),
      userId: optional(reference('A person with an account')),
      username: optional(text({ max: MAX_USERNAME_CHARACTERS, description: 'Instead of `userId`' })),
    }),
    check({ body: { userId, username } }) {
      if ((userId === undefined) === (username === undefined))
        throw invalid('missing', 'userId', 'give either userId or username');
    },
    answer: invitation,
    async existing({ db, now }, { body: { serverId, ...person } }) {
      const { id: userId } = await invitedBy(db, person);
      const member = await db.first(find('serverMember', { serverId, userId }));
      if (member) return { id: member.id, serverId, visible: 'member' };
      const found = await db.first(find('invitation', { serverId, userId }));
      // The response does not reveal whether the person has declined or has not responded yet.
      return found && found.expiresAt > now ? { id: found.id, serverId, visible: 'bans' } : undefined;
    },
    async target(call, { body }) {
      const serverId = await serverIdOf(call, body.serverId);
      const user = await invitedBy(call.db, body);
      await actIn(call, serverId);
      return { serverId, alsoIn: [user.id], user };
    },
    async run(call, _input, { serverId, user }) {
      const { db, emit, newRow, now, principal } = call;
      const { id: userId } = user;
      requireCondition(principal, conditions.notBanned, { isBanned: await isBanned(db, serverId, user) });
      await requireInvitable(db, user);
      const found = await db.first(find('invitation', { serverId, userId }));
      // The invitation has expired but has not been deleted yet.
      if (found && found.expiresAt <= now) await removeInvitation(call, { serverId, userId });
      if (await isMember(db, serverId, userId)) throw new UniqueViolation('serverMember(serverId,userId)');
      await requireRoomFor(call, userId);
      const row = {
        ...newRow(),
        serverId,
        userId,
        creatorId: principal.userId,
        expiresAt: now + OPEN_DAYS * DAY_MS,
        closedAt: null,
        withdrawnAt: null,
      };
      await db.run(insert('invitation', row));
      const made = (await shownOf(db, [row]))(row);
      await emit(invitationEvents.created, made);
      return made;
    },
  }),

  write({
    operation: 'invitationAccept',
    people: true,
    method: 'POST',
    path: '/invitations/:id/accept',
    resource: 'invitation',
    verb: 'update',
    summary: 'Accept an invitation',
    description: 'You become a member of the server.',
    answer: serverMember,
    target: (call, { params }) => ownInvitation(call, params.id),
    async run(call, _input, { serverId, ownerId }) {
      const user = await load(call.db, 'user', ownerId);
      const facts = { isBanned: await isBanned(call.db, serverId, user) };
      requireCondition(call.principal, conditions.notBanned, facts);
      return addMember(call, { serverId, user });
    },
  }),

  write({
    operation: 'invitationDecline',
    people: true,
    method: 'POST',
    path: '/invitations/:id/decline',
    resource: 'invitation',
    verb: 'update',
    summary: 'Decline an invitation',
    description: 'Nobody can invite you to the server again for a year. You can still join it yourself.',
    answer: invitation,
    target: (call, { params }) => ownInvitation(call, params.id),
    async run(call, _input, { found }) {
      return close(call, found, call.now + DECLINED_DAYS * DAY_MS);
    },
  }),
];

/** Finds the invited person by id or username. Throws NOT_FOUND. */
async function invitedBy(
  db: Reader,
  { userId, username }: { userId?: string; username?: string },
): Promise<RowOf<'user'>> {
  if (userId !== undefined) return load(db, 'user', userId);
  const name = username?.replace(/^@/, '').toLowerCase();
  const found = name === undefined ? undefined : await db.first(find('user', { username: name }));
  if (!found) throw notFound('user');
  return found;
}

/** Makes the caller act in the server that the request names, regardless of their current server. */
export async function actIn(call: WriteCall, serverId: string): Promise<void> {
  if (serverId === call.principal.serverId || !call.caller) return;
  const { authenticator } = call.services;
  call.principal = (await authenticator.withinServer(call.db, call.caller, serverId)).principal;
}

/** Finds an open invitation. Throws NOT_FOUND. */
async function ownInvitation({ db, now }: WriteCall, invitationId: string) {
  const found = await load(db, 'invitation', invitationId);
  const { serverId, userId } = found;
  if (found.closedAt !== null || found.expiresAt <= now) throw notFound('invitation');
  await load(db, 'server', serverId);
  return { serverId, ownerId: userId, alsoIn: [userId], found };
}

/** Throws INVALID_REQUEST unless the user is a person with an account who is not suspended. */
async function requireInvitable(db: Reader, user: RowOf<'user'>): Promise<void> {
  if (user.suspendedAt !== null)
    throw invalid('wrong_kind', 'userId', 'is suspended or has closed their account');
  if (!(await db.first(find('person', { id: user.id }))))
    throw invalid('wrong_kind', 'userId', 'has no account. Add them with POST /api/v1/server-members');
}

/** Throws INVALID_REQUEST if the person has too many invitations, in total or from the caller. */
async function requireRoomFor({ db, now, principal }: WriteCall, userId: string): Promise<void> {
  const open = openOf(userId, now).limit(1);
  if (await db.first(open.offset(MAX_OPEN - 1)))
    throw invalid('quota', 'userId', `has ${MAX_OPEN} open invitations already`);
  const byCaller = q
    .selectFrom('invitation')
    .select('id')
    .where('userId', '=', userId)
    .where('creatorId', '=', principal.userId)
    .where('createdAt', '>', now - OPEN_DAYS * DAY_MS)
    .limit(1);
  if (await db.first(byCaller.offset(MAX_BY_MEMBER - 1)))
    throw invalid(
      'quota',
      'userId',
      `was invited by you ${MAX_BY_MEMBER} times in the last ${OPEN_DAYS} days`,
    );
}

/** Loads the servers and inviters of some invitations. Returns a function that converts a row to a record. */
async function shownOf(db: Reader, rows: readonly RowOf<'invitation'>[]) {
  const serverIds = rows.map(({ serverId }) => serverId);
  const creatorIds = rows.map(({ creatorId }) => creatorId);
  const members = q
    .selectFrom('serverMember')
    .innerJoin('user', 'user.id', 'serverMember.userId')
    .selectAll('user')
    .select('serverMember.serverId')
    .where('serverMember.serverId', 'in', serverIds)
    .where('serverMember.userId', 'in', creatorIds);
  const [servers, inviters] =
    rows.length === 0
      ? [[], []]
      : await Promise.all([
          db.all(q.selectFrom('server').selectAll().where('id', 'in', serverIds)),
          db.all(members),
        ]);
  const serverOf = new Map(servers.map((server) => [server.id, toPreview(server)]));
  const inviterOf = new Map(inviters.map((user) => [`${user.serverId} ${user.id}`, toInviter(user)]));
  return (row: RowOf<'invitation'>) =>
    toRecord({
      ...row,
      server: serverOf.get(row.serverId),
      inviter: inviterOf.get(`${row.serverId} ${row.creatorId}`),
    });
}

/** Closes an open invitation, so that the person cannot be invited again before `expiresAt`. */
export async function close({ db, emit, now }: Work, found: RowOf<'invitation'>, expiresAt: number) {
  const row = { ...found, expiresAt, updatedAt: touched(found, now) };
  const closed = (await shownOf(db, [row]))(row);
  await emit(invitationEvents.deleted, closed);
  await db.run(update('invitation', found.id, { closedAt: now, expiresAt, updatedAt: row.updatedAt }));
  return closed;
}

type Invited = Pick<RowOf<'invitation'>, 'serverId' | 'userId'>;

/**
 * Closes a user's open invitation to a server, if there is one. The invitation is not deleted, so that a ban
 * does not make it possible to invite the user again.
 */
export async function closeInvitation(work: Work, { serverId, userId }: Invited): Promise<void> {
  const found = await work.db.first(find('invitation', { serverId, userId }));
  if (found && found.closedAt === null) await close(work, found, found.expiresAt);
}

/** Deletes a user's invitation to a server, if there is one: they have joined, or the invitation has expired. */
export async function removeInvitation({ db, emit }: Work, { serverId, userId }: Invited): Promise<void> {
  const found = await db.first(find('invitation', { serverId, userId }));
  if (!found) return;
  if (found.closedAt === null) await emit(invitationEvents.deleted, (await shownOf(db, [found]))(found));
  await db.run(remove('invitation', { id: found.id }));
}
