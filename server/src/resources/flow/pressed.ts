import type { RowOf } from '../../db/schema.ts';
import { find, q } from '../../db/statements.ts';
import type { Trigger } from '../../flows/triggers.ts';
import type { Work } from '../../operations/work.ts';
import { endInteraction } from '../interaction/end.ts';
import type { Taken } from '../interaction/interactionRecord.ts';
import { takeAnswer } from './answers.ts';
import { INTERACTION, requireRoom, startRun } from './start.ts';

type Flow = RowOf<'flow'>;
type Interaction = RowOf<'interaction'>;

/** Flows of a server that are looked at for a press. */
const MAX_FLOWS = 1_000;
/** Runs that one press may start. */
const MAX_STARTED = 10;

/**
 * Starts the flows whose command a person used or whose button they pressed, or passes their answer to the run that asked,
 * in the write that adds the interaction: once, because an interaction is added once. Answers the interaction, so its person does not wait. Throws RATE_LIMITED if the
 * server has started its runs of this minute.
 */
export async function takeInteraction(
  work: Work,
  { id, agentId, serverId }: Pick<Interaction, 'id' | 'agentId' | 'serverId'>,
  taken: Taken | undefined,
): Promise<void> {
  const { db } = work;
  const flow = await db.first(find('flow', { userId: agentId, serverId }));
  if (!flow || !taken) return;
  const found = (await db.first(find('interaction', { id }))) as Interaction;
  const asked = await takeAnswer(work, found);
  if (asked !== undefined) {
    taken.row = await endInteraction(work, found, { state: asked ? 'done' : 'failed' });
    return;
  }
  const flows = found.commandId === null ? await pressed(work, flow, found) : await used(work, flow, found);
  for (const one of flows) {
    await requireRoom(work, serverId, taken.runsPerMinute);
    await startRun(work, one, {
      cause: `${INTERACTION}${id}`,
      triggeredBy: (one.trigger as Trigger).on,
      channelId: found.channelId,
      actorId: found.userId,
      input: inputOf(found),
    });
  }
  taken.row = await endInteraction(work, found, { state: flows.length > 0 ? 'done' : 'failed' });
}

/** The flow whose command it is. */
async function used({ db }: Work, flow: Flow, { commandId: id }: Interaction): Promise<Flow[]> {
  const command = await db.first(find('command', { id: id as string, flowId: flow.id }));
  return command && flow.enabled && flow.triggeredBy === 'command' ? [flow] : [];
}

/** The flows that start with a press on an element of a message of this flow. */
async function pressed({ db }: Work, of: Flow, { serverId, actionId }: Interaction): Promise<Flow[]> {
  const all = await db.all(
    q
      .selectFrom('flow')
      .selectAll()
      .where('serverId', '=', serverId)
      .where('triggeredBy', '=', 'button')
      .where('enabled', '=', true)
      .orderBy('id')
      .limit(MAX_FLOWS),
  );
  const listens = (flow: Flow) => {
    const trigger = flow.trigger as Extract<Trigger, { on: 'button' }>;
    return trigger.actionId === actionId && (trigger.flowId || flow.id) === of.id;
  };
  return all.filter(listens).slice(0, MAX_STARTED);
}

/** What templates read as `{{input.x}}`: the options of a command, the values of a form, or the value of an element. */
function inputOf({ options, value }: Interaction): unknown {
  if (options !== null) return options;
  return typeof value === 'object' && value !== null ? value : { value };
}
