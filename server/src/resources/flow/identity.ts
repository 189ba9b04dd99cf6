import { requireHoldsFlagsOf, requireSeesAsMuch } from '../../access/grants.ts';
import type { RowOf } from '../../db/schema.ts';
import { find, remove, update } from '../../db/statements.ts';
import { type FlowShape, flagsNeeded } from '../../flows/shape.ts';
import { type Flag, flagColumns } from '../../lib/flags.ts';
import type { WriteCall } from '../../operations/call.ts';
import type { Work } from '../../operations/work.ts';
import { touched } from '../common.ts';
import { addRole, roleEvents, toRole } from '../role.ts';
import { addAgent } from '../secret/mint.ts';
import { isMember } from '../serverMember/join.ts';

/** The columns of a flow that determine its identity. */
export type Identity = Pick<RowOf<'flow'>, 'userId' | 'roleId' | 'makerId'>;

type Saved = Pick<RowOf<'flow'>, 'serverId' | 'name'> & Partial<Pick<RowOf<'flow'>, 'userId' | 'roleId'>>;

const MAX_ROLE_NAME = 100;

/**
 * Returns the identity of a flow: its own agent and role, which are created if missing. The caller who saves
 * a flow is responsible for it. Throws FORBIDDEN unless they have all flags that its steps need and that its
 * role has, and can see all channels that its role can see, because nobody can grant permissions that they do
 * not have (decisions, part 5).
 */
export async function identityFor(
  call: WriteCall,
  verb: 'insert' | 'update',
  flow: Saved,
  shape: FlowShape,
): Promise<Identity> {
  const { db, principal, services } = call;
  const flags = flagsNeeded(shape, services.events);
  requireHoldsFlagsOf(principal, `flow ${verb}`, flagColumns(flags));
  const role = await roleOf(call, flow);
  if (role) {
    requireHoldsFlagsOf(principal, `flow ${verb}`, role);
    await requireSeesAsMuch(db, principal, `flow ${verb}`, role);
  }
  return { ...(await agentWith(call, flow, role, flags)), makerId: principal.userId };
}

/**
 * Like `identityFor`, for a flow that the operator creates or turns on. The server's creator is then
 * responsible for it.
 */
export async function identityByOperator(
  work: Work,
  events: Parameters<typeof flagsNeeded>[1],
  flow: Saved,
  shape: FlowShape,
  ownerId: string,
): Promise<Identity> {
  const identity = await agentWith(work, flow, await roleOf(work, flow), flagsNeeded(shape, events));
  return { ...identity, makerId: ownerId };
}

const roleOf = ({ db }: Work, { roleId, serverId }: Saved) =>
  roleId ? db.first(find('role', { id: roleId, serverId })) : undefined;

async function agentWith(
  work: Work,
  { serverId, name, userId }: Saved,
  role: RowOf<'role'> | undefined,
  flags: readonly Flag[],
): Promise<{ userId: string; roleId: string }> {
  const isThere = userId && (await isMember(work.db, serverId, userId));
  const agentId = isThere ? userId : await addAgent(work, { name, serverId });
  if (!role) {
    const added = await addRole(work, {
      serverId,
      name: `Flow: ${name}`.slice(0, MAX_ROLE_NAME).toWellFormed(),
      flags,
    });
    return { userId: agentId, roleId: added.id };
  }
  const missing = flags.filter((flag) => !role[flag]);
  if (missing.length > 0) {
    const set = {
      ...Object.fromEntries(missing.map((flag) => [flag, true])),
      updatedAt: touched(role, work.now),
    };
    await work.db.run(update('role', role.id, set));
    await work.emit(roleEvents.updated, toRole({ ...role, ...set }));
  }
  return { userId: agentId, roleId: role.id };
}

/** Deletes the role of a deleted flow. Its agent is kept as the author of its messages. */
export async function removeRoleOf(work: Work, flow: Saved): Promise<void> {
  const role = await roleOf(work, flow);
  if (!role || role.isDefault || role.isCreatorRole) return;
  await work.emit(roleEvents.deleted, toRole(role));
  await work.db.run(remove('role', { id: role.id }));
}
