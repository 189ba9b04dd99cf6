import type { Caller } from '../../../access/authenticator.ts';
import { setTimer } from '../../../clock/timers.ts';
import type { RowOf } from '../../../db/schema.ts';
import { find, q, remove } from '../../../db/statements.ts';
import { ApiError } from '../../../errors.ts';
import { positionOfEventId } from '../../../feed/eventId.ts';
import { type Answer, ASK_BLOCK, decidersOf, outcomeOf } from '../../../flows/askStep.ts';
import { type Filled, type Step, type StepType, timeOf } from '../../../flows/steps.ts';
import { MAX_WAIT_MS } from '../../../flows/stepType.ts';
import type { Services } from '../../../operations/services.ts';
import type { Work } from '../../../operations/work.ts';
import { storedBlocks } from '../../message/blocks/stored.ts';
import { progressAtEnd } from '../../webhook/place.ts';
import { changeRun } from '../start.ts';
import { eventOf } from './events.ts';
import { StepFailure } from './failure.ts';
import { performIn } from './perform.ts';
import { requireWaitingRoom, saveStep } from './stored.ts';
import { putWait } from './waitRows.ts';

/** A run that pauses, with the functions for its writes. */
interface Execution {
  readonly services: Services;
  readonly run: RowOf<'flowRun'>;
  readonly caller: Caller;
  /** Runs a write of the claimed run. */
  write<T>(task: (work: Work) => Promise<T>): Promise<T>;
  /** Stores the step's result together with the changes made by `act`, and advances the run. */
  store(step: Step, act: (work: Work) => Promise<object>, input: unknown): Promise<void>;
  requireMaker(work: Work): Promise<void>;
}

/** Waits for a time or an event, or resumes after it. Returns whether the run continues immediately. */
export async function wait(execution: Execution, step: Step, input: Filled): Promise<boolean> {
  const { services, run } = execution;
  const event = input.event as { type: string; where?: unknown } | undefined;
  if (run.status === 'waiting') {
    const output = event ? await awaited(execution) : { wokenAt: services.deps.now() };
    await execution.store(
      step,
      async ({ db }) => {
        if (event) await db.run(remove('flowWait', { id: run.id }));
        return output;
      },
      input,
    );
    return true;
  }
  const wakeAt = timeAt(input, services.deps.now());
  await execution.write(async (work) => {
    await pause(execution, work, step, { input, wakeAt });
    if (event) await addEventWait(execution, work, event);
  });
  return false;
}

/** Returns the latest time at which a wait ends. Throws StepFailure. */
function timeAt({ until, seconds }: Filled, now: number): number {
  const wakeAt =
    until !== undefined
      ? timeOf(until)
      : seconds !== undefined
        ? now + Number(seconds) * 1000
        : now + MAX_WAIT_MS;
  if (!Number.isFinite(wakeAt)) throw new StepFailure('the end of the wait is not a time');
  if (wakeAt > now + MAX_WAIT_MS) throw new StepFailure('a wait can take at most 30 days');
  return wakeAt;
}

/** Pauses the run. Its timer serves as the timeout. Throws StepFailure. */
async function pause(
  { services, run }: Execution,
  work: Work,
  step: Step,
  { input, wakeAt }: { input: unknown; wakeAt: number },
): Promise<void> {
  const { id, serverId } = run;
  await requireWaitingRoom(work.db, serverId, services.flowBounds.waiting);
  await saveStep(work, run, step, { status: 'waiting', input, output: null, error: null });
  await setTimer(work.db, { id, kind: 'flowRun', serverId, dueAt: wakeAt, now: work.now });
  await changeRun(work, run, { status: 'waiting', wakeAt });
}

/**
 * Adds a wait for an event. Events count if they come after the previous step, or after the event that
 * started the run, so that none is missed in between.
 */
async function addEventWait(
  { run: { id, flowId, serverId, waitFrom, eventId } }: Execution,
  { db }: Work,
  { type, where: condition = null }: { type: string; where?: unknown },
): Promise<void> {
  const cursor = waitFrom ?? eventId ?? '';
  const position = positionOfEventId(serverId, cursor);
  const place = position ? { cursor, seq: position.seq } : await progressAtEnd(db, serverId);
  await putWait(db, { id, flowId, serverId, type, condition, ...place });
}

/**
 * Returns the output of a wait that has ended because an event arrived or because of a timeout. Throws
 * StepFailure if the event was deleted or is no longer visible to the flow.
 */
async function awaited({ services, run, caller }: Execution): Promise<object> {
  const { id, serverId } = run;
  const { eventId = null } = (await services.db.read.first(find('flowWait', { id }))) ?? {};
  if (eventId === null) return { event: null, timedOut: true };
  const event = await eventOf(services, caller, { serverId, eventId });
  if (!event) throw new StepFailure('the awaited event is no longer kept, or the flow can no longer see it');
  return { event, timedOut: false };
}

/**
 * Sends a question and waits for the answers, or continues with them. Returns whether the run continues
 * immediately.
 */
export async function ask(
  execution: Execution,
  step: Step,
  type: Extract<StepType, { does: 'ask' }>,
  input: Filled,
): Promise<boolean> {
  const { services, run, caller } = execution;
  const needed = decidersOf(input);
  if (run.status === 'waiting') {
    await execution.store(step, (work) => close(execution, work, input), input);
    return true;
  }
  const wakeAt = timeAt({ seconds: input.seconds }, services.deps.now());
  await execution.write(async (work) => {
    await execution.requireMaker(work);
    const message = (await type.run(performIn(services, caller, work, run), input)) as { id: string };
    await pause(execution, work, step, { input, wakeAt });
    const { id, flowId, serverId } = run;
    await putWait(work.db, { id, flowId, serverId, messageId: message.id, needed });
  });
  return false;
}

/** Closes a question, so that its message shows the answers instead of buttons. Returns the step's output. */
async function close(execution: Execution, work: Work, input: Filled): Promise<object> {
  const { run, services, caller } = execution;
  const { db } = work;
  const wait = await db.first(find('flowWait', { id: run.id }));
  const outcome = outcomeOf((wait?.answers ?? []) as readonly Answer[], wait?.needed ?? 1);
  await db.run(remove('flowWait', { id: run.id }));
  const { messageId = null } = wait ?? {};
  const message = messageId === null ? undefined : await db.first(find('message', { id: messageId }));
  const block = message && storedBlocks(message).find(({ id }) => id === ASK_BLOCK);
  // A decided approval renders its own decisions.
  if (message && block?.type === 'actions' && block.decidedAt === undefined) {
    const text = await closingText(work, outcome, block.elements, input);
    const body = { blocks: [{ type: 'context', text }] };
    const { perform } = performIn(services, caller, work, run);
    await perform('messageSave', { params: { id: message.id }, body }).catch((error) => {
      // The answer counts, even if the message cannot be changed.
      if (!(error instanceof ApiError)) throw error;
    });
  }
  return { messageId, ...outcome };
}

type Outcome = ReturnType<typeof outcomeOf>;

/** Formats the answers with their authors, in language-neutral text. */
async function closingText(
  { db }: Work,
  { answers, timedOut }: Outcome,
  elements: readonly { id: string; text?: string }[],
  { timeoutText }: Filled,
): Promise<string> {
  const ids = answers.map(({ userId }) => userId);
  const users =
    ids.length === 0
      ? []
      : await db.all(q.selectFrom('user').select(['id', 'username']).where('id', 'in', ids));
  const lines = answers.map(({ userId, answer }) => {
    const username = users.find(({ id }) => id === userId)?.username ?? '…';
    return `@${username}: ${elements.find(({ id }) => id === answer)?.text ?? answer}`;
  });
  const ending = timedOut ? [String(timeoutText ?? '⌛')] : [];
  return [...lines, ...ending].join('\n\n').slice(0, 1_000).toWellFormed();
}
