import { conditions, requireCondition } from '../../access/conditions.ts';
import { requireAdministrable } from '../../access/grants.ts';
import { find, q } from '../../db/statements.ts';
import { notFound } from '../../errors.ts';
import { requireProven } from '../../operations/call.ts';
import { body, optional, reference, text } from '../../operations/fields.ts';
import { write } from '../../operations/write.ts';
import { load } from '../common.ts';
import { deleteServer } from '../server/delete.ts';
import { server } from '../server/serverRecord.ts';
import { recordDeparture } from '../serverMember/departure.ts';
import { serverMember } from '../serverMember/memberRecord.ts';
import { removeMember, requireCreatorStays } from '../serverMember/remove.ts';

/** The server's name, which is typed to confirm an irreversible action. */
export const typedName = text({
  max: 100,
  description: "The server's name, as confirmation",
  examples: ['Harbour'],
});

/** Selects the servers that a person owns, whether they created them or received them in a transfer. */
export const serversOf = (userId: string) =>
  q.selectFrom('server').select('id').where('creatorId', '=', userId).where('deletedAt', 'is', null);

/** The operations for leaving and deleting servers. */
export const serverEndOperations = [
  write({
    operation: 'serverLeave',
    people: true,
    method: 'POST',
    path: '/servers/:id/leave',
    resource: 'serverMember',
    verb: 'delete',
    summary: 'Leave a server',
    description:
      'Revokes your keys, webhooks and agents there. The owner must transfer ownership first. You must be acting in the server you leave.',
    body: body({ id: optional(reference()) }),
    answer: serverMember,
    async target({ db, principal }, { params }) {
      const { id: serverId } = await load(db, 'server', params.id);
      const member = await db.first(find('serverMember', { serverId, userId: principal.userId }));
      if (!member) throw notFound('server member');
      return { serverId, ownerId: principal.userId, member };
    },
    async run(call, _input, { member, serverId }) {
      await requireCreatorStays(call, member);
      const left = await removeMember(call, member);
      await recordDeparture(call, member);
      await requireAdministrable(call.db, call.principal, serverId);
      return left;
    },
  }),

  write({
    operation: 'serverDelete',
    people: true,
    method: 'POST',
    path: '/servers/:id/delete',
    resource: 'server',
    verb: 'delete',
    summary: 'Delete a server',
    description:
      "Permanently deletes the server and everything in it. Keys, webhooks and streams end immediately; the rest is removed in the background. Only the owner can do this, while acting in the server. Requires a confirmed identity and the server's name.",
    body: body({ id: optional(reference()), name: typedName }),
    answer: server,
    async target({ db }, { params }) {
      const found = await load(db, 'server', params.id);
      return { serverId: found.id, found };
    },
    async run(call, { body }, { found }) {
      requireCondition(call.principal, conditions.deletable, {});
      requireProven(call);
      return deleteServer(call, found, body.name, 'server delete');
    },
  }),
];
