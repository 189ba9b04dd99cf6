import type { Caller } from '../../../access/authenticator.ts';
import type { RowOf } from '../../../db/schema.ts';
import { q } from '../../../db/statements.ts';
import type { Services } from '../../../operations/services.ts';
import { makersOf } from '../maker.ts';
import { INTERACTION } from '../start.ts';
import { eventOf, interactionOf } from './events.ts';

type Run = RowOf<'flowRun'>;

/** The data that the steps of a run need. */
export interface Loaded {
  run: Run;
  flow: RowOf<'flow'>;
  caller: Caller;
  makers: readonly Caller[];
  event: object | undefined;
  /**
   * Whether the event that started the run has expired or is no longer visible. Only steps that read the
   * event fail.
   */
  isEventGone: boolean;
  /** The steps executed so far. */
  steps: readonly RowOf<'flowStep'>[];
}

/** Loads the data that a run needs. Throws ApiError if the flow's agent or role was deleted. */
export async function loadRun(services: Services, run: Run, flow: RowOf<'flow'>): Promise<Loaded> {
  const caller = await services.authenticator.authenticateDigest('flow', flow.id);
  const [makers, event, steps] = await Promise.all([
    makersOf(services, flow),
    causeOf(services, caller, run),
    services.db.read.all(q.selectFrom('flowStep').selectAll().where('runId', '=', run.id).orderBy('id')),
  ]);
  const isEventGone = !event && (run.eventId !== null || run.cause.startsWith(INTERACTION));
  return { run, flow, caller, makers, event, isEventGone, steps };
}

/** Loads the event or interaction that started a run, as the flow's agent sees it. */
async function causeOf(services: Services, caller: Caller, { serverId, eventId, cause }: Run) {
  if (eventId !== null) return eventOf(services, caller, { serverId, eventId });
  return cause.startsWith(INTERACTION) ? interactionOf(services, cause) : undefined;
}
