import { requireShape } from '../../flows/shape.ts';
import { inspect, MAX_DEPTH } from '../../operations/validation.ts';
import type { Work } from '../../operations/work.ts';
import { load } from '../../resources/common.ts';
import { identityByOperator } from '../../resources/flow/identity.ts';
import { addFlow } from '../../resources/flow/saving.ts';
import { events } from '../../resources/index.ts';
import { CommandError } from '../commandError.ts';
import { nameFrom } from './name.ts';

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
  return addFlow(work, fields, shape, await identityByOperator(work, events, fields, shape));
}

function jsonFrom(option: string, text: string): unknown {
  try {
    const value = JSON.parse(text);
    inspect(value, option);
    return value;
  } catch {
    throw new CommandError(`${option} must be well-formed JSON, at most ${MAX_DEPTH} levels deep`);
  }
}
