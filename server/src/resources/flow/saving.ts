import { newHookToken } from '../../access/credentials/hookToken.ts';
import { digestOf } from '../../access/credentials/token.ts';
import type { RowOf } from '../../db/schema.ts';
import { insert, remove, update } from '../../db/statements.ts';
import { invalid } from '../../errors.ts';
import { type FlowShape, requireShape } from '../../flows/shape.ts';
import { allSteps, isEventWait } from '../../flows/steps.ts';
import { requireRoom } from '../../limits/room.ts';
import type { WriteCall } from '../../operations/call.ts';
import type { Work } from '../../operations/work.ts';
import { FLOW_HOOK_PREFIX } from '../../payloads/suffixes.ts';
import { commandFrom, commandOfFlow, removeCommandOf } from '../command/ofFlow.ts';
import { alters, sent, touched } from '../common.ts';
import { arm, removeTimersOf } from './arm.ts';
import { flowEvents, toFlow } from './flowRecord.ts';
import { requireSecretHosts } from './hosts.ts';
import { type Identity, identityFor, removeRoleOf } from './identity.ts';
import { withdrawNotices } from './notice.ts';

export { requireShape };

type Flow = RowOf<'flow'>;
type Given = Pick<Flow, 'name' | 'trigger'> & { steps: readonly unknown[] } & Partial<
    Pick<Flow, 'description' | 'enabled'>
  >;

/** Adds a flow whose shape was validated. Throws INVALID_REQUEST and FORBIDDEN. */
export async function insertFlow(call: WriteCall, given: Given, serverId: string) {
  const { name, trigger, steps, description = null, enabled = true } = given;
  const shape = { trigger, steps } as FlowShape;
  await requireSecretHosts(call, serverId, shape.steps);
  checkCommand(shape);
  const identity = await identityFor(call, 'insert', { serverId, name }, shape);
  const fields = { serverId, name, description, enabled, creatorId: call.principal.userId };
  return addFlow(call, fields, shape, identity);
}

/** Updates a flow. Throws INVALID_REQUEST and FORBIDDEN. */
export async function updateFlow(call: WriteCall, given: Partial<Given>, found: Flow) {
  const fields = sent(given, 'name', 'description', 'enabled', 'trigger', 'steps');
  const isSaved = fields.trigger !== undefined || fields.steps !== undefined;
  if (found.kind === 'note' && fields.enabled && !isSaved)
    throw invalid(
      'wrong_kind',
      'enabled',
      'must stay false: this is a note for other programs. Save its steps to run it',
    );
  const makesFlow = found.kind === 'note' && isSaved;
  if (!makesFlow && !alters(found, fields) && !(fields.enabled && found.disabledReason)) return toFlow(found);
  const { path, ...saved } = await savedBy(call, found, fields);
  const set = { ...fields, ...saved };
  await requireCommandRoom(call, { ...found, ...set });
  return withPath(await changeFlow(call, found, set), path);
}

/**
 * Changes a flow whose new shape was validated. Returns its row. Throws INVALID_REQUEST if the name of its
 * command is taken.
 */
export async function changeFlow(work: Work, found: Flow, fields: Partial<Flow>): Promise<Flow> {
  const set = { ...fields, updatedAt: touched(found, work.now) };
  await work.db.run(update('flow', found.id, set));
  const row = { ...found, ...set };
  if (row.kind === 'flow') await arm(work, row, found);
  await work.emit(flowEvents.updated, toFlow(row));
  return row;
}

const hasEventWait = ({ steps }: FlowShape): boolean =>
  [...allSteps(steps)].some(({ step }) => isEventWait(step));

/** Throws INVALID_REQUEST for an invalid command. */
function checkCommand({ trigger }: FlowShape): void {
  if (trigger.on === 'command') commandFrom(trigger);
}

/** Throws INVALID_REQUEST if a flow needs a new command, and the server is at the limit of commands. */
async function requireCommandRoom({ db, services }: WriteCall, flow: Flow): Promise<void> {
  if (!flow.enabled || flow.triggeredBy !== 'command' || (await commandOfFlow(db, flow))) return;
  await requireRoom(db, services.quotas, flow.serverId, ['commands']);
}

export async function deleteFlow(work: Work, found: Flow) {
  const { db, emit } = work;
  await removeTimersOf(db, found.id);
  await db.run(remove('flow', { id: found.id }));
  await emit(flowEvents.deleted, toFlow(found));
  await withdrawNotices(work, found.id);
  await removeCommandOf(work, found);
  await removeRoleOf(work, found);
  return toFlow(found);
}

/**
 * Returns the columns that change when a flow's trigger or steps are saved, or when it is turned on. Throws
 * INVALID_REQUEST and FORBIDDEN.
 */
async function savedBy(
  call: WriteCall,
  found: RowOf<'flow'>,
  fields: Partial<RowOf<'flow'>>,
): Promise<Partial<RowOf<'flow'>> & { path?: string }> {
  const isSaved = fields.trigger !== undefined || fields.steps !== undefined || fields.enabled === true;
  if (!isSaved) return {};
  const { trigger, steps, name } = { ...found, ...fields };
  const shape = requireShape({ trigger, steps: steps as readonly unknown[] }, call.services.events, call.now);
  await requireSecretHosts(call, found.serverId, shape.steps);
  checkCommand(shape);
  const identity = await identityFor(call, 'update', { ...found, name }, shape);
  const columns = {
    ...identity,
    kind: 'flow' as const,
    triggeredBy: shape.trigger.on,
    disabledReason: null,
    // Runs with the previous steps may still be waiting.
    waitsForEvents: found.waitsForEvents || hasEventWait(shape),
  };
  if (shape.trigger.on !== 'hook') return { ...columns, digest: null };
  return { ...columns, ...(found.digest === null && newHook(call)) };
}

/** Creates a new URL for a flow's hook. Only the response to this write contains its path. */
function newHook({ randomBytes }: Pick<Work, 'randomBytes'>): { path: string; digest: string } {
  const token = newHookToken(randomBytes);
  return { path: `${FLOW_HOOK_PREFIX}${token}`, digest: digestOf(token) };
}

const withPath = (row: Flow, path: string | undefined) => ({
  ...toFlow(row),
  ...(path !== undefined && { path }),
});

/** Adds a flow that Palaver runs. */
export async function addFlow(
  work: Work,
  fields: Pick<RowOf<'flow'>, 'serverId' | 'name' | 'creatorId' | 'description' | 'enabled'>,
  { trigger, steps }: FlowShape,
  identity: Identity,
) {
  const { path, digest } = trigger.on === 'hook' ? newHook(work) : { path: undefined, digest: null };
  const row: RowOf<'flow'> = {
    ...work.newRow(),
    ...fields,
    trigger,
    steps,
    kind: 'flow',
    triggeredBy: trigger.on,
    disabledReason: null,
    digest,
    waitsForEvents: hasEventWait({ trigger, steps }),
    ...identity,
  };
  await work.db.run(insert('flow', row));
  await arm(work, row);
  await work.emit(flowEvents.created, toFlow(row));
  return withPath(row, path);
}
