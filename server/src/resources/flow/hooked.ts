import type { Caller } from '../../access/authenticator.ts';
import { hookTokens } from '../../access/credentials/hookToken.ts';
import { digestOf } from '../../access/credentials/token.ts';
import { q } from '../../db/statements.ts';
import { ApiError } from '../../errors.ts';
import type { Services } from '../../operations/services.ts';
import { system, transact, workIn } from '../../operations/work.ts';
import { load } from '../common.ts';
import { toRun } from './flowRecord.ts';
import { requireRoom, startRun } from './start.ts';

/** Authenticates a request to the hook of a flow, as the flow's agent. Throws INVALID_API_KEY. */
export async function callerOfHook({ db, authenticator }: Services, token: string): Promise<Caller> {
  const rows = q.selectFrom('flow').select('id').where('digest', '=', digestOf(token));
  const isKnown = hookTokens.isWellFormed(token);
  const flow = isKnown ? await db.read.first(rows.where('enabled', '=', true)) : undefined;
  if (!flow) throw new ApiError('INVALID_API_KEY', 'this hook does not exist, or its flow is turned off');
  return authenticator.authenticateDigest('flow', flow.id);
}

/**
 * Starts a run of the hook's flow. Idempotent by `key`: a repeated request returns the existing run. Throws
 * RATE_LIMITED.
 */
export async function startHooked(
  services: Services,
  { credential, principal }: Caller,
  input: unknown,
  key: string | undefined,
): Promise<object> {
  const { deps, disks, flowBounds } = services;
  await disks.data.requireRoom();
  const serverId = principal.serverId as string;
  const cause = `hook ${key === undefined ? deps.newId() : digestOf(key)}`;
  return transact(
    services,
    async (tx, pending) => {
      const work = workIn(tx, services, system, pending);
      const flow = await load(tx, 'flow', credential.id);
      const known = q.selectFrom('flowRun').selectAll().where('flowId', '=', flow.id);
      const before = await tx.first(known.where('cause', '=', cause));
      if (before) return toRun(before);
      await requireRoom(work, serverId, flowBounds.runsPerMinute);
      return toRun(await startRun(work, flow, { cause, triggeredBy: 'hook', input: input ?? {} }));
    },
    serverId,
  );
}
