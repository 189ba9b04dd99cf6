import { conditions, requireCondition } from '../access/conditions.ts';
import { requireAdministrable, requireHoldsFlagsOfMember } from '../access/grants.ts';
import type { Reader } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import { find, insert, q, remove } from '../db/statements.ts';
import { eventsOf } from '../feed/eventKind.ts';
import { Type } from '../lib/schema.ts';
import { body, id, longText, nullable, optional, record, reference } from '../operations/fields.ts';
import { read } from '../operations/read.ts';
import { write } from '../operations/write.ts';
import { load, recordOf, serverIdOf, serverTarget } from './common.ts';
import { pageById, rowsById } from './lists.ts';
import { toUser, user } from './user.ts';

const reason = nullable(
  longText('The reason for the ban, visible to members who can ban', 'Posts advertisements'),
);

const serverBan = record('ServerBan', {
  serverId: id(),
  userId: id(),
  creatorId: id('The user who banned them'),
  reason,
  user: Type.Object(user.properties),
});
const toServerBan = recordOf(serverBan);

export const serverBanEvents = eventsOf(
  'serverBan',
  { data: serverBan, audience: 'bans' },
  { created: 'A user was banned', deleted: 'A ban was lifted' },
);

export const serverBanOperations = [
  read({
    operation: 'bansByServer',
    path: '/servers/:serverId/bans',
    tag: 'serverBan',
    summary: "List a server's bans",
    description: 'Returns the newest bans first.',
    visible: 'bans',
    answer: serverBan,
    list: 'many',
    target: serverTarget,
    async run({ db }, input) {
      const rows = q.selectFrom('serverBan').selectAll().where('serverId', '=', input.params.serverId);
      const page = await db.all(rowsById(rows, input, 'desc'));
      return pageById(page, input.query.limit, await withUsers(db, page));
    },
  }),

  write({
    operation: 'serverBanInsert',
    path: '/server-bans',
    resource: 'serverBan',
    verb: 'insert',
    summary: 'Ban a user from a server',
    description:
      "Removes the user's membership, if any, and everything that depends on it. The user cannot join again or be added.",
    body: body({ userId: reference(), serverId: optional(reference()), reason: optional(reason) }),
    answer: serverBan,
    async existing(call, { body }) {
      const serverId = await serverIdOf(call, body.serverId);
      const found = await call.db.first(find('serverBan', { serverId, userId: body.userId }));
      return found && { id: found.id, serverId, visible: 'bans' };
    },
    async target(call, { body }) {
      const server = await load(call.db, 'server', await serverIdOf(call, body.serverId));
      const user = await load(call.db, 'user', body.userId);
      const invitation = await call.db.first(find('invitation', { serverId: server.id, userId: user.id }));
      // Closing the invitation emits an event in the person's log.
      return { serverId: server.id, server, user, ...(invitation && { alsoIn: [user.id] }) };
    },
    async run(call, { body }, { serverId, server, user }) {
      const { db, emit, newRow, principal } = call;
      const { id: userId } = user;
      requireCondition(principal, conditions.bannable, { userId, serverCreatorId: server.creatorId });
      await requireHoldsFlagsOfMember(db, principal, 'serverBan insert', { serverId, userId });
      const row = {
        ...newRow(),
        serverId,
        userId,
        creatorId: principal.userId,
        reason: body.reason ?? null,
      };
      await db.run(insert('serverBan', row));
      const made = toServerBan({ ...row, user: toUser(user) });
      await emit(serverBanEvents.created, made);
      await requireAdministrable(db, principal, serverId);
      return made;
    },
  }),

  write({
    operation: 'serverBanDelete',
    path: '/server-bans/:id',
    resource: 'serverBan',
    verb: 'delete',
    summary: 'Lift a ban',
    description: 'The user can join again. Anything removed with their membership is not restored.',
    answer: serverBan,
    target: ({ db }, { params }) => load(db, 'serverBan', params.id),
    async run({ db, emit }, _input, found) {
      await db.run(remove('serverBan', { id: found.id }));
      const lifted = (await withUsers(db, [found]))(found);
      await emit(serverBanEvents.deleted, lifted);
      return lifted;
    },
  }),
];

/** Loads the users of a page of bans. Returns a function that converts a row to a record. */
async function withUsers(db: Reader, page: readonly RowOf<'serverBan'>[]) {
  const userIds = page.map(({ userId }) => userId);
  const users =
    userIds.length === 0 ? [] : await db.all(q.selectFrom('user').selectAll().where('id', 'in', userIds));
  const userOf = new Map(users.map((user) => [user.id, toUser(user)]));
  return (ban: RowOf<'serverBan'>) => toServerBan({ ...ban, user: userOf.get(ban.userId) });
}
