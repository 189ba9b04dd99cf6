import { conditions, requireCondition } from '../../access/conditions.ts';
import type { Reader } from '../../db/contract.ts';
import { find, update } from '../../db/statements.ts';
import { invalid } from '../../errors.ts';
import { isTypedName } from '../../lib/names.ts';
import { act } from '../../operations/act.ts';
import type { WriteCall } from '../../operations/call.ts';
import { body, reference } from '../../operations/fields.ts';
import { load, touched } from '../common.ts';
import { addServer } from '../server/index.ts';
import { fields, server, serverEvents, toServer } from '../server/serverRecord.ts';
import { isMember } from '../serverMember/join.ts';
import { giveRole } from '../userRole.ts';
import { serverEndOperations, serversOf, typedName } from './end.ts';
import { ownServers } from './list.ts';

/**
 * Server operations that only people can use. They are in a separate folder, because they depend on servers,
 * members and roles.
 */
export const serverOwnerOperations = [
  ownServers,
  ...serverEndOperations,

  act({
    operation: 'serverInsert',
    people: true,
    path: '/servers',
    resource: 'server',
    verb: 'insert',
    summary: 'Create a server',
    description:
      'You become its owner, first member and admin. A person can own at most 100 servers by default, and the setting `serverCreators` may allow only platform admins to create servers.',
    body: body({ name: fields.name }),
    answer: server,
    async run({ principal, services, writeOnAccount }, { body }) {
      const { serverCreators, serversPerPerson } = await services.settings.current();
      requireCondition(principal, conditions.createsServers, { serverCreators });
      // Writes are serialized per person, so that each request counts the servers created before it.
      const data = await writeOnAccount(principal.userId, async (work) => {
        const { db } = work;
        await requireServerRoom(db, principal.userId, serversPerPerson, 'you have');
        const creator = await load(db, 'user', principal.userId);
        return addServer(work, { name: body.name, creator });
      });
      return { data };
    },
  }),

  act({
    operation: 'serverHandOver',
    people: true,
    method: 'POST',
    path: '/servers/:id/hand-over',
    resource: 'server',
    verb: 'update',
    summary: 'Transfer a server to another member',
    description:
      "The member becomes the owner and gets the owner's admin role. You keep your roles. Requires a confirmed identity and the server's name.",
    body: body({
      userId: reference('A member who is a person, not an agent'),
      name: typedName,
    }),
    answer: server,
    proven: true,
    async target({ db }, { params }) {
      const found = await load(db, 'server', params.id);
      return { serverId: found.id };
    },
    async run({ write, db: known, services }, { params, body }) {
      const { serversPerPerson } = await services.settings.current();
      const { id: serverId } = await load(known, 'server', params.id);
      const { id: userId } = await load(known, 'user', body.userId);
      const handOver = async (work: WriteCall) => {
        const { db, emit, now, principal } = work;
        // This is checked again in the transaction, because the server may have been transferred in the
        // meantime.
        requireCondition(principal, conditions.handedOver, {});
        const found = await load(db, 'server', serverId);
        if (!isTypedName(body.name, found.name))
          throw invalid('mismatch', 'name', "does not match the server's name");
        const user = await load(db, 'user', userId);
        const isTheirs = user.type === 'person' && user.suspendedAt === null;
        if (!isTheirs || !(await isMember(db, serverId, user.id)))
          throw invalid('mismatch', 'userId', 'must be a member of the server and a person, not an agent');
        await requireServerRoom(db, user.id, serversPerPerson, 'they have');
        const set = { creatorId: user.id, updatedAt: touched(found, now) };
        await db.run(update('server', serverId, set));
        const role = await db.first(find('role', { serverId, isCreatorRole: true }));
        if (role && !(await db.first(find('userRole', { userId: user.id, roleId: role.id }))))
          await giveRole(work, { serverId, userId: user.id, roleId: role.id }, { isMemberEmitted: false });
        const changed = toServer({ ...found, ...set });
        await emit(serverEvents.updated, changed);
        return changed;
      };
      // The write is also serialized with writes to the new owner's account, because a concurrent write may
      // close the account, and a closed account must not own servers.
      return { data: await write(handOver, serverId, [userId]) };
    },
  }),
];

/** Throws INVALID_REQUEST if a person has reached the maximum number of servers. */
async function requireServerRoom(db: Reader, userId: string, most: number, whoHas: string): Promise<void> {
  if ((await db.all(serversOf(userId).limit(most))).length >= most)
    throw invalid('quota', '', `${whoHas} reached the limit of ${most} servers`);
}
