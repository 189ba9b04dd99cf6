import { isClaimed, removeTimer, setTimer, type Timer } from '../../../clock/timers.ts';
import { ApiError } from '../../../errors.ts';
import type { Services } from '../../../operations/services.ts';
import { system, transact, workIn } from '../../../operations/work.ts';
import { messageTarget } from '../load.ts';
import { finish } from './finish.ts';
import { OpenStreams } from './openStreams.ts';
import { removeStream, SILENCE_MS, streamRow } from './streamRow.ts';

/**
 * Ends a stream as stopped if nothing was appended for a minute, even if its author or its node no longer
 * exists. If text was appended, sets the timer again.
 */
export async function endSilent(services: Services, timer: Timer): Promise<void> {
  const { id, serverId } = timer;
  const { deltas } = services.feed;
  const hasEnded = await transact(
    services,
    async (tx, pending) => {
      if (!(await isClaimed(tx, timer))) return false;
      const row = await tx.first(streamRow({ id }));
      if (!row) {
        await removeTimer(tx, id);
        return true;
      }
      const { deps } = services;
      const work = workIn(tx, services, system, pending);
      // Text that was appended since the last commit also counts.
      const silence = Math.min(deltas.silenceOf(id), work.now - row.updatedAt);
      if (silence < SILENCE_MS) {
        await setTimer(tx, {
          id,
          kind: 'stream',
          serverId,
          dueAt: deps.now() + SILENCE_MS - silence,
          now: work.now,
        });
        return false;
      }
      const target = await messageTarget(tx, id).catch((error) => {
        if (error instanceof ApiError && error.code === 'NOT_FOUND') return undefined;
        throw error;
      });
      if (!target) {
        await removeStream(tx, id);
        return true;
      }
      const { message, channel } = target;
      const content = deltas.continued(id, row.content);
      await finish(work, services, { message, channel, content, stream: 'stopped', principal: undefined });
      return true;
    },
    serverId,
  );
  if (hasEnded) OpenStreams.of(services).forget(id);
}
