import type { Tx } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { q } from '../../db/statements.ts';
import type { Trigger } from '../../flows/triggers.ts';
import type { Work } from '../../operations/work.ts';
import { endInteraction } from '../interaction/end.ts';
import type { Taken } from '../interaction/interactionRecord.ts';
import { takeAnswer } from './answers.ts';
import { INTERACTION, requireRoom, startRun } from './start.ts';

type Flow = Pick<RowOf<'flow'>, 'id' | 'serverId' | 'steps'>;
type Interaction = RowOf<'interaction'>;

/** Maximum flows of a server to check per button press. */
const MAX_FLOWS = 1_000;
/** Maximum runs to start per button press. */
const MAX_STARTED = 10;

/**
 * Starts the flows whose command a person used or whose button they pressed, or passes their answer to the
 * run that asked. This happens exactly once, because it is part of the write that adds the interaction.
 * Answers the interaction immediately. Throws RATE_LIMITED if the server has reached its limit of flow runs
 * per minute.
 */
export async function takeInteraction(work: Work, _shown: object, taken: Taken): Promise<void> {
  const { row, flowId, started, runsPerMinute } = taken;
  if (flowId === undefined) return;
  const asked = await takeAnswer(work, row);
  if (asked !== undefined) {
    taken.row = await endInteraction(work, row, { state: asked ? 'done' : 'failed' });
    return;
  }
  const isCommand = row.commandId !== null;
  const flows = isCommand ? commanded(started) : await pressed(work.db, flowId, row);
  for (const flow of flows) {
    await requireRoom(work, row.serverId, runsPerMinute);
    await startRun(work, flow, {
      cause: `${INTERACTION}${row.id}`,
      triggeredBy: isCommand ? 'command' : 'button',
      channelId: row.channelId,
      actorId: row.userId,
      input: inputOf(row),
    });
  }
  taken.row = await endInteraction(work, row, { state: flows.length > 0 ? 'done' : 'failed' });
}

const commanded = (flow: RowOf<'flow'> | undefined): Flow[] =>
  flow?.enabled && flow.triggeredBy === 'command' ? [flow] : [];

/** Selects the flows that are triggered by an element in a message from the flow `ofId`. */
async function pressed(db: Tx, ofId: string, { serverId, actionId }: Interaction): Promise<Flow[]> {
  const all = await db.all(
    q
      .selectFrom('flow')
      .select(['id', 'trigger'])
      .where('serverId', '=', serverId)
      .where('triggeredBy', '=', 'button')
      .where('enabled', '=', true)
      .orderBy('id')
      .limit(MAX_FLOWS),
  );
  const listening = all.filter(({ id, trigger }) => {
    const { actionId: listensTo, flowId } = trigger as Extract<Trigger, { on: 'button' }>;
    return listensTo === actionId && (flowId || id) === ofId;
  });
  const ids = listening.slice(0, MAX_STARTED).map(({ id }) => id);
  if (ids.length === 0) return [];
  return db.all(
    q.selectFrom('flow').select(['id', 'serverId', 'steps']).where('id', 'in', ids).orderBy('id'),
  );
}

/**
 * Returns the value of `{{input}}` in templates: the options of a command, the values of a form, or the value
 * of an element.
 */
function inputOf({ options, value }: Interaction): unknown {
  if (options !== null) return options;
  return typeof value === 'object' && value !== null ? value : { value };
}
