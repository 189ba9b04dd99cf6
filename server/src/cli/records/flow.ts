import type { Reader } from '../../db/contract.ts';
import { q } from '../../db/statements.ts';
import { runStatuses } from '../../db/tables/flowRun.ts';
import { requireShape } from '../../flows/shape.ts';
import { inspect, MAX_DEPTH } from '../../operations/validation.ts';
import type { Work } from '../../operations/work.ts';
import { load } from '../../resources/common.ts';
import { toFlow, toRun } from '../../resources/flow/flowRecord.ts';
import { identityByOperator } from '../../resources/flow/identity.ts';
import { startManual } from '../../resources/flow/runs.ts';
import { addFlow, changeFlow, deleteFlow } from '../../resources/flow/saving.ts';
import { events } from '../../resources/index.ts';
import { CommandError } from '../commandError.ts';
import { nameFrom } from './name.ts';

const MAX_RUNS = 100;

export async function createFlow(
  work: Work,
  given: { server: string; name: string; trigger: string; steps: string },
) {
  const { id: serverId, creatorId } = await load(work.db, 'server', given.server);
  const name = nameFrom(given.name);
  const trigger = jsonFrom('--trigger', given.trigger);
  const steps = jsonFrom('--steps', given.steps);
  if (!Array.isArray(steps)) throw new CommandError('--steps must be a JSON array');
  const shape = requireShape({ trigger, steps }, events, work.now);
  const fields = { serverId, name, creatorId, description: null, enabled: true };
  return addFlow(work, fields, shape, await identityByOperator(work, events, fields, shape, creatorId));
}

export async function listFlows(db: Reader, { server }: { server?: string }) {
  let rows = q.selectFrom('flow').selectAll().orderBy('id');
  if (server !== undefined) rows = rows.where('serverId', '=', (await load(db, 'server', server)).id);
  return (await db.all(rows)).map(toFlow);
}

/** Implements `palaver flow show`. Throws NOT_FOUND. */
export const showFlow = async (db: Reader, _given: object, id: string) => toFlow(await load(db, 'flow', id));

/** Implements `palaver flow enable`. Throws NOT_FOUND and INVALID_REQUEST. */
export async function enableFlow(work: Work, id: string) {
  const found = await load(work.db, 'flow', id);
  if (found.kind === 'note')
    throw new CommandError('the flow is a note for other programs. Save its steps in the editor first');
  if (found.enabled) return toFlow(found);
  const { trigger, steps } = found;
  const shape = requireShape({ trigger, steps: steps as unknown[] }, events, work.now);
  const { creatorId } = await load(work.db, 'server', found.serverId);
  const identity = await identityByOperator(work, events, found, shape, creatorId);
  return toFlow(await changeFlow(work, found, { ...identity, enabled: true, disabledReason: null }));
}

/** Implements `palaver flow disable`. Throws NOT_FOUND. */
export async function disableFlow(work: Work, id: string) {
  const found = await load(work.db, 'flow', id);
  return toFlow(found.enabled ? await changeFlow(work, found, { enabled: false }) : found);
}

/** Implements `palaver flow run`. Throws NOT_FOUND, and INVALID_REQUEST for a flow that is off. */
export async function runFlow(work: Work, id: string, given: { input?: string }) {
  const input = given.input === undefined ? {} : jsonFrom('--input', given.input);
  return startManual(work, await load(work.db, 'flow', id), { input });
}

/** Implements `palaver flow runs`. Throws NOT_FOUND. */
export async function listRuns(db: Reader, { status }: { status?: string }, id: string) {
  const { id: flowId } = await load(db, 'flow', id);
  let rows = q.selectFrom('flowRun').selectAll().where('flowId', '=', flowId);
  if (status !== undefined) rows = rows.where('status', '=', statusFrom(status));
  return (await db.all(rows.orderBy('id', 'desc').limit(MAX_RUNS))).map(toRun);
}

function statusFrom(text: string): (typeof runStatuses)[number] {
  const status = runStatuses.find((one) => one === text);
  if (!status) throw new CommandError(`--status must be one of ${runStatuses.join(', ')}`);
  return status;
}

/** Implements `palaver flow delete`. Throws NOT_FOUND. */
export const removeFlow = async (work: Work, id: string) => deleteFlow(work, await load(work.db, 'flow', id));

function jsonFrom(option: string, text: string): unknown {
  try {
    const value = JSON.parse(text);
    inspect(value, option);
    return value;
  } catch {
    throw new CommandError(`${option} must be well-formed JSON, at most ${MAX_DEPTH} levels deep`);
  }
}
