import type { FastifyBaseLogger } from 'fastify';
import type { Caller } from '../access/authenticator.ts';
import { deferredKey } from '../access/credentials/deferred.ts';
import { canSeeChannel } from '../access/visibility.ts';
import { type AnyTimer, isClaimed, removeTimer, type Timer } from '../clock/timers.ts';
import type { RowOf } from '../db/schema.ts';
import { find, findPart, update } from '../db/statements.ts';
import { ApiError } from '../errors.ts';
import type { Services } from '../operations/services.ts';
import { personActor, system, transact, type Work, workIn } from '../operations/work.ts';
import { touched } from './common.ts';
import { endInteraction } from './interaction/end.ts';
import { messageTarget } from './message/load.ts';
import { reach } from './message/reach.ts';
import { addNotification } from './notification.ts';
import { savedEvents, toSaved } from './saved/savedRecord.ts';
import { failScheduled, sendScheduled } from './scheduledMessage/deliver.ts';

const silence = () => import('./message/stream/silence.ts');
const previews = () => import('./message/previews/make.ts');

/**
 * A function that starts a job in the background. `onError` gets the errors of attempts that will be retried.
 */
type StartJob<T> = (services: Services, timer: T, onError: (error: unknown) => void) => Promise<void>;

/** Lazy loaders of the code that runs exports, imports and merges. */
interface LoadJobs {
  exports(): Promise<{ startExport: StartJob<AnyTimer> }>;
  imports(): Promise<{ startImport: StartJob<AnyTimer> }>;
  merges(): Promise<{ continueMerge(services: Services, timer: AnyTimer): Promise<void> }>;
}

/** A due row, with the services and the caller that its job needs. */
interface Due<R> {
  services: Services;
  work: Work;
  /** Undefined if the account is suspended. */
  caller: Caller | undefined;
  found: R;
}

type Effect<R> = (due: Due<R>) => Promise<void>;

const suspended = new ApiError('FORBIDDEN', 'this account is suspended');

const send: Effect<RowOf<'scheduledMessage'>> = async ({ services, work, caller, found }) => {
  try {
    if (!caller) throw suspended;
    await sendScheduled(services, caller, work, found);
  } catch (error) {
    if (!isFinal(error)) throw error;
    await failScheduled(work, found, error, caller?.principal.serverId === found.serverId);
  }
};

const remind: Effect<RowOf<'saved'>> = async ({ work, caller, found }) => {
  const { db, now, tell } = work;
  const { id, userId, serverId, channelId, messageId } = found;
  const target = await messageTarget(db, messageId).catch((error) => {
    if (isFinal(error)) return undefined;
    throw error;
  });
  const set = { remindAt: null, updatedAt: touched(found, now) };
  await removeTimer(db, id);
  await db.run(update('saved', id, set));
  tell(savedEvents.updated, toSaved({ ...found, ...set }));
  if (!caller || !target || !canSeeChannel(caller.principal, serverId, target.channel)) return;
  const about = { userId, serverId, actorId: target.ownerId, channelId, messageId };
  await reach(work, [await addNotification(work, { ...about, type: 'reminder' })]);
};

const expire: Effect<RowOf<'interaction'>> = async ({ work, found }) => {
  work.actAs(system);
  if (found.state === 'pending') await endInteraction(work, found, { state: 'expired' });
  else await removeTimer(work.db, found.id);
};

/** Whether a retry would also fail. */
const isFinal = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code !== 'INTERNAL_ERROR' && error.code !== 'UNAUTHORIZED';

const kinds = {
  message: { table: 'scheduledMessage', effect: send },
  reminder: { table: 'saved', effect: remind },
  interaction: { table: 'interaction', effect: expire },
} as const;

/**
 * Runs the job of a claimed timer. Sends a message or reminder as the person who set the timer. Longer jobs
 * start in the background. Does nothing if the timer has been changed or claimed again.
 */
export async function runDue(
  services: Services,
  any: AnyTimer,
  jobs: LoadJobs,
  log: FastifyBaseLogger,
): Promise<void> {
  const onError = (err: unknown): void => {
    if (!services.background.signal.aborted)
      log.warn({ err, [any.kind]: any.id }, `${any.kind} failed and will be retried`);
  };
  if (any.kind === 'import') return (await jobs.imports()).startImport(services, any, onError);
  if (any.kind === 'merge') return (await jobs.merges()).continueMerge(services, any);
  if (any.kind === 'export' || any.kind === 'personExport')
    return (await jobs.exports()).startExport(services, any, onError);
  const timer = any as Timer;
  if (timer.kind === 'preview') return (await previews()).startPreviews(services, timer, onError);
  if (timer.kind === 'stream') return (await silence()).endSilent(services, timer);
  const { table, effect } = kinds[timer.kind as keyof typeof kinds];
  const { id, serverId } = timer;
  const owned = await services.db.read.first(findPart(table, id, ['userId']));
  const caller = owned && (await callerOf(services, { userId: owned.userId, serverId }));
  const logs = owned ? [owned.userId] : [];
  await transact(
    services,
    async (tx, pending) => {
      if (!(await isClaimed(tx, timer))) return;
      const found = await tx.first(find(table, { id }));
      if (!found || !owned) return removeTimer(tx, id);
      const work = workIn(tx, services, personActor(owned.userId), pending);
      const current = caller && (await services.authenticator.within(tx, caller));
      await (effect as Effect<unknown>)({ services, work, caller: current, found });
    },
    serverId,
    logs,
  );
}

/** Returns the person as a caller in a server; undefined if their account is suspended. */
async function callerOf(
  { authenticator }: Services,
  of: { userId: string; serverId: string },
): Promise<Caller | undefined> {
  try {
    return await authenticator.authenticateDigest('deferred', deferredKey(of));
  } catch (error) {
    if (error instanceof ApiError && error.code === 'UNAUTHORIZED') return undefined;
    throw error;
  }
}
