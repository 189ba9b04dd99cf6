import type { RowOf } from '../db/schema.ts';
import { q, update } from '../db/statements.ts';
import { notFound } from '../errors.ts';
import { id, record, time } from '../operations/fields.ts';
import { read } from '../operations/read.ts';
import { write } from '../operations/write.ts';
import { aheadInServer, load, recordOf, serverTarget } from './common.ts';
import { actIn, close, OPEN_DAYS } from './invitation.ts';
import { inviter, toInviter } from './invitePreview.ts';
import { pageById, rowsById } from './lists.ts';

const OPEN_MS = OPEN_DAYS * 24 * 60 * 60_000;

/** An invitation, as it is shown to the server's moderators. */
const sentInvitation = record('SentInvitation', {
  serverId: id(),
  userId: id('The invited person'),
  creatorId: id('The member who invited them'),
  expiresAt: time(),
  user: inviter,
});
const toSent = recordOf(sentInvitation);

/**
 * Returns the expiry of an invitation, calculated as if it had not been declined, so that moderators cannot
 * tell whether it was.
 */
const sentUntil = ({ createdAt }: Pick<RowOf<'invitation'>, 'createdAt'>): number => createdAt + OPEN_MS;

export const sentInvitationOperations = [
  read({
    operation: 'invitationsByServer',
    people: true,
    path: '/servers/:serverId/invitations',
    tag: 'invitation',
    summary: "List a server's invitations to people",
    description:
      'Returns the invitations of the last 30 days, newest first, except accepted and withdrawn ones. The response does not show whether a person declined.',
    visible: 'bans',
    answer: sentInvitation,
    list: 'many',
    target: serverTarget,
    ahead: aheadInServer,
    async run({ db, now }, input) {
      const rows = q
        .selectFrom('invitation')
        .selectAll()
        .where('serverId', '=', input.params.serverId)
        .where('createdAt', '>', now - OPEN_MS)
        .where('withdrawnAt', 'is', null);
      const page = await db.all(rowsById(rows, input, 'desc'));
      const users =
        page.length === 0
          ? []
          : await db.all(
              q
                .selectFrom('user')
                .selectAll()
                .where(
                  'id',
                  'in',
                  page.map(({ userId }) => userId),
                ),
            );
      const userOf = new Map(users.map((user) => [user.id, toInviter(user)]));
      return pageById(page, input.query.limit, (row) =>
        toSent({ ...row, expiresAt: sentUntil(row), user: userOf.get(row.userId) }),
      );
    },
  }),

  write({
    operation: 'invitationDelete',
    people: true,
    path: '/invitations/:id',
    resource: 'invitation',
    verb: 'delete',
    summary: 'Withdraw an invitation to a person',
    description: `The person can no longer accept it. They cannot be invited again until ${OPEN_DAYS} days after the invitation, or for a year after they declined.`,
    answer: sentInvitation,
    async target(call, { params }) {
      const found = await load(call.db, 'invitation', params.id);
      if (found.withdrawnAt !== null || sentUntil(found) <= call.now) throw notFound('invitation');
      await load(call.db, 'server', found.serverId);
      await actIn(call, found.serverId);
      return { serverId: found.serverId, alsoIn: [found.userId], found };
    },
    async run(call, _input, { found }) {
      const { db, now } = call;
      // A declined invitation stays closed, and the response does not reveal that it was declined.
      if (found.closedAt === null) await close(call, found, found.expiresAt);
      await db.run(update('invitation', found.id, { withdrawnAt: now }));
      const user = await load(db, 'user', found.userId);
      return toSent({ ...found, expiresAt: sentUntil(found), user: toInviter(user) });
    },
  }),
];
