import type { RowOf } from '../../../db/schema.ts';
import { find, prepare, q, update } from '../../../db/statements.ts';
import { ApiError } from '../../../errors.ts';
import { positionOfEventId } from '../../../feed/eventId.ts';
import { asWhole, readFor } from '../../../feed/whole.ts';
import { holds } from '../../../flows/conditions.ts';
import type { Trigger } from '../../../flows/triggers.ts';
import type { Services } from '../../../operations/services.ts';
import { system, transact, type Work, workIn } from '../../../operations/work.ts';
import { msUntilRun, startRun } from '../start.ts';
import { type Place, placeOf, type ReadEvent, seek } from './place.ts';

/** Events per read from the log. */
const BATCH_EVENTS = 50;
/** Events that start no run are passed without a write, up to this many. After a restart, they are read again. */
const MAX_PASSED = 500;

type Flow = RowOf<'flow'>;

/**
 * Starts the runs of a flow for new events of its log. The write that starts runs also moves the flow's cursor, so each
 * event starts one run, whichever nodes read it. Returns the milliseconds after which to look again, because the server
 * has started its runs of this minute; 0 if everything was read. `onStarted` is called after runs were started.
 */
export async function scan(services: Services, flowId: string, onStarted: () => void): Promise<number> {
  const { db, feed, authenticator } = services;
  const flow = await db.read.first(find('flow', { id: flowId }));
  const state = await db.read.first(find('flowState', { id: flowId }));
  if (!flow?.enabled || flow.triggeredBy !== 'event' || !state) return 0;
  const { type, where } = flow.trigger as Extract<Trigger, { on: 'event' }>;
  const viewer = async () => (await authenticator.authenticateDigest('flow', flowId)).principal;
  const types = new Set([type]);
  const reader = await feed.reader(flow.serverId, { types: readFor(types) }, viewer);
  try {
    let place = await seek(reader, state);
    for (;;) {
      const events = await reader.next(BATCH_EVENTS);
      const passed = placeOf(reader, place);
      const whole = events.flatMap((event) => asWhole(event, types, feed.events) ?? []);
      const read = whole.map(({ json }) => JSON.parse(json) as ReadEvent);
      const matching = read.filter(
        (event) => !isOwn(flow, type, event) && (where === undefined || holds(where, { event })),
      );
      const isFar = passed.seq - place.seq >= MAX_PASSED;
      if (matching.length > 0 || isFar) {
        const { wait, moved } = await start(services, flow, matching, { from: place, to: passed });
        if (matching.length > 0) onStarted();
        if (!moved || wait > 0) return moved ? wait : 1;
        place = passed;
      }
      if (events.length === 0 && reader.isAtEnd) return 0;
    }
  } catch (error) {
    // Its agent or its role is gone. Its next run, or a member, turns it off.
    if (error instanceof ApiError) return 0;
    throw error;
  } finally {
    reader.close();
  }
}

/** Whether an event says that the agent or the role of the flow itself was created, just before the flow was. */
const isOwn = ({ userId, roleId }: Flow, type: string, { data }: ReadEvent): boolean =>
  (type === 'serverMember.created' && data.userId === userId) ||
  (type === 'role.created' && data.id === roleId);

/**
 * Starts runs and moves the cursor, in one write. If there is no room for all runs, it moves to the last event that has
 * one. `moved` is false if another node was faster.
 */
function start(
  services: Services,
  flow: Flow,
  events: readonly ReadEvent[],
  { from, to }: { from: Place; to: Place },
): Promise<{ wait: number; moved: boolean }> {
  const { serverId, id } = flow;
  return transact(
    services,
    async (tx, pending) => {
      const state = await tx.first(find('flowState', { id }));
      const current = await tx.first(find('flow', { id }));
      if (state?.cursor !== from.cursor || !current?.enabled) return { wait: 0, moved: false };
      const work = workIn(tx, services, system, pending);
      let place: Place | undefined;
      for (const event of events) {
        const wait = await msUntilRun(tx, serverId, services.flowBounds.runsPerMinute, work.now);
        if (wait > 0) {
          if (place) await tx.run(update('flowState', id, place));
          return { wait, moved: true };
        }
        await startRun(work, current, await causeOf(work, event));
        const { id: cursor } = event;
        place = { cursor, seq: positionOfEventId(serverId, cursor)?.seq ?? from.seq };
      }
      await tx.run(update('flowState', id, to));
      return { wait: 0, moved: true };
    },
    serverId,
  );
}

async function causeOf(work: Work, { id, actorId, actor, at, data }: ReadEvent) {
  const channelId = data.channelId ?? null;
  const depth = actorId !== null && actor === 'key' ? await depthAfter(work, actorId, at) : 0;
  return { cause: `event ${id}`, triggeredBy: 'event', eventId: id, channelId, actorId, depth };
}

const runsAt = prepare((p: { userId: string; at: number }) =>
  q
    .selectFrom('flowRun')
    .innerJoin('flow', 'flow.id', 'flowRun.flowId')
    .select('flowRun.depth')
    .where('flow.userId', '=', p.userId)
    .where((eb) => eb.or([eb('flowRun.endedAt', 'is', null), eb('flowRun.endedAt', '>=', p.at)]))
    .orderBy('flowRun.depth', 'desc')
    .limit(1),
);

/**
 * How many flows triggered each other up to an event by an agent: one more than the run that caused it, which is the
 * deepest of the runs of its flow at that time; 0 if the agent is not that of a flow.
 */
async function depthAfter({ db }: Work, userId: string, at: number): Promise<number> {
  const run = await db.first(runsAt({ userId, at }));
  return run ? run.depth + 1 : 0;
}
