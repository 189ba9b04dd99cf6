import type { RowOf } from '../../../db/schema.ts';
import { find, prepare, q, update } from '../../../db/statements.ts';
import { holds } from '../../../flows/conditions.ts';
import type { Trigger } from '../../../flows/triggers.ts';
import type { Services } from '../../../operations/services.ts';
import { system, transact, type Work, workIn } from '../../../operations/work.ts';
import { msUntilRun, startRun } from '../start.ts';
import { eventsAfter, type Logged, type Place, type ReadEvent } from './place.ts';

/**
 * The position is stored after this many events that start no run. Until then, each scan reads these events
 * again.
 */
const MAX_PASSED = 500;
/** The error of a run whose event cannot be tested against the flow's condition. */
const BROKEN_CONDITION = 'the condition of its trigger cannot be evaluated. Save the flow again';

type Flow = RowOf<'flow'>;

/** An event that starts a run. */
interface Match extends Logged {
  /** Set if the condition cannot be evaluated for the event. The run then fails. */
  error?: string;
}

interface ScanOptions {
  /** Called after runs were started. */
  onStarted(): void;
  /** Called if the flow's condition cannot be evaluated. */
  onBroken(error: unknown): void;
  isStopping(): boolean;
}

/**
 * Starts the runs of a flow for new events in its log. The write that starts runs also moves the flow's
 * cursor, so that each matching event starts exactly one run across all nodes. Returns the delay in
 * milliseconds before a rescan, if the server has used up its runs for this minute or another node moved the
 * cursor; otherwise 0.
 */
export async function scan(
  services: Services,
  flowId: string,
  { onStarted, onBroken, isStopping }: ScanOptions,
): Promise<number> {
  const { db } = services;
  const flow = await db.read.first(find('flow', { id: flowId }));
  const state = await db.read.first(find('flowState', { id: flowId }));
  if (!flow?.enabled || flow.triggeredBy !== 'event' || !state) return 0;
  const { type } = flow.trigger as EventTrigger;
  let place: Place = { cursor: state.cursor, seq: state.seq };
  for await (const { read, place: passed } of eventsAfter(services, flow, type, place)) {
    const matching = read.flatMap((one) => matchOf(flow, one, onBroken) ?? []);
    const isFar = passed.seq - place.seq >= MAX_PASSED;
    if (matching.length > 0 || isFar) {
      const { wait, moved } = await start(services, flow, matching, { from: place, to: passed });
      if (matching.length > 0) onStarted();
      if (!moved || wait > 0) return moved ? wait : 1;
      place = passed;
    }
    if (isStopping()) return 0;
  }
  return 0;
}

type EventTrigger = Extract<Trigger, { on: 'event' }>;

/** Returns an event if it starts a run; otherwise undefined. */
function matchOf(flow: Flow, logged: Logged, onBroken: ScanOptions['onBroken']): Match | undefined {
  const { type, where } = flow.trigger as EventTrigger;
  const { event } = logged;
  if (isOwn(flow, type, event)) return undefined;
  try {
    return where === undefined || holds(where, { event }) ? logged : undefined;
  } catch (error) {
    onBroken(error);
    return { ...logged, error: BROKEN_CONDITION };
  }
}

/**
 * Whether an event reports the creation of the flow's own agent or role, just before the flow was created.
 */
const isOwn = ({ userId, roleId }: Flow, type: string, { data }: ReadEvent): boolean =>
  (type === 'serverMember.created' && data.userId === userId) ||
  (type === 'role.created' && data.id === roleId);

/**
 * Starts runs and moves the cursor, in one write. If there is no capacity for all runs, the cursor stops at
 * the last event whose run was started. `moved` is false if another node moved the cursor first.
 */
function start(
  services: Services,
  flow: Flow,
  matching: readonly Match[],
  { from, to }: { from: Place; to: Place },
): Promise<{ wait: number; moved: boolean }> {
  const { serverId, id, makerId } = flow;
  const isNoticed = makerId !== null && matching.some(({ error }) => error !== undefined);
  return transact(
    services,
    async (tx, pending) => {
      const state = await tx.first(find('flowState', { id }));
      const current = await tx.first(find('flow', { id }));
      if (state?.cursor !== from.cursor || !current?.enabled) return { wait: 0, moved: false };
      const work = workIn(tx, services, system, pending);
      let place: Place | undefined;
      for (const { event, seq, error } of matching) {
        const wait = await msUntilRun(tx, serverId, services.flowBounds.runsPerMinute, work.now);
        if (wait > 0) {
          if (place) await tx.run(update('flowState', id, place));
          return { wait, moved: true };
        }
        await startRun(work, current, { ...(await causeOf(work, event)), ...(error && { error }) });
        place = { cursor: event.id, seq };
      }
      await tx.run(update('flowState', id, to));
      return { wait: 0, moved: true };
    },
    serverId,
    isNoticed ? [makerId] : [],
  );
}

async function causeOf(work: Work, { id, actorId, actor, at, data }: ReadEvent) {
  const channelId = data.channelId ?? null;
  const depth = actorId !== null && actor === 'key' ? await depthAfter(work, actorId, at) : 0;
  return { cause: `event ${id}`, triggeredBy: 'event', eventId: id, channelId, actorId, depth };
}

/**
 * The final write of a run ends it and emits the events of its last step, timestamped at the commit. The end
 * of a run may therefore be up to this many milliseconds earlier than an event that the run caused.
 */
const WRITE_MS = 1_000;

/** Selects the greatest depth of the runs that an agent's flow had at a time, in two index reads. */
const runsAt = prepare((p: { userId: string; since: number }) => {
  const flowId = q.selectFrom('flow').select('id').where('userId', '=', p.userId).limit(1);
  const depths = q.selectFrom('flowRun').select('depth').where('flowId', '=', flowId);
  return depths
    .where('endedAt', 'is', null)
    .unionAll(depths.where('endedAt', '>=', p.since))
    .orderBy('depth', 'desc')
    .limit(1);
});

/**
 * Returns the length of the chain of flows that led to an event by an agent: one more than the depth of the
 * run that caused the event. That is assumed to be the deepest run of the agent's flow at that time. 0 if the
 * agent's flow had no run, or the agent does not belong to a flow.
 */
async function depthAfter({ db }: Work, userId: string, at: number): Promise<number> {
  const run = await db.first(runsAt({ userId, since: at - WRITE_MS }));
  return run ? run.depth + 1 : 0;
}
