import { createWriteStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { removeTimer, type Timer } from '../../clock/timers.ts';
import { find, q, update } from '../../db/statements.ts';
import type { Services } from '../../operations/services.ts';
import { Lost } from '../../resources/claimed.ts';
import { touched } from '../../resources/common.ts';
import { exportEvents, toExport } from '../../resources/export.ts';
import { Claim } from '../claim.ts';
import { exportTo } from './export.ts';
import { zipOf } from './zip.ts';

/** An archive whose row is never written is removed after this time, in ms. */
const UNCLAIMED_MS = 60 * 60_000;

/** Starts or continues an export in the background. */
export const startExport = (
  services: Services,
  timer: Timer,
  onError: (error: unknown) => void,
): Promise<void> =>
  Claim.start(services, timer, 'export', onError, (row) => {
    const job = { ...row, folder: join(services.files.working, row.id), progress: { messages: 0 } };
    return {
      begin: () => begun(() => services.exports.begin(row.creatorId, row.serverId)),
      note: ({ db }) => db.run(update('export', row.id, job.progress)),
      run: (claim) => run(services, claim, job),
      async fail(claim, error, isLate) {
        if (!isLate) throw error;
        await finish(claim, job, { state: 'failed' });
      },
    };
  });

/** Undefined if it throws because of a limit. */
function begun(begin: () => () => void): (() => void) | undefined {
  try {
    return begin();
  } catch {
    return undefined;
  }
}

interface Job {
  id: string;
  serverId: string;
  channelId: string | null;
  folder: string;
  progress: { messages: number };
}

async function run(services: Services, claim: Claim, job: Job): Promise<void> {
  const { db, deps, files } = services;
  const { id, serverId, channelId, folder, progress } = job;
  const archive = `${folder}.zip`;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await exportTo({
      ...{ db: db.read, files, folder, scope: { serverId, channelId: channelId ?? undefined } },
      now: () => deps.now(),
      newId: () => deps.newId(),
      onProgress(messages) {
        progress.messages = messages;
        claim.check();
      },
    });
    await pipeline(await zipOf(folder), createWriteStream(archive, { mode: 0o600 }));
    const { size: bytes } = await stat(archive);
    await claim.renew();
    await claim.within(({ db, now }) =>
      db.run(
        q
          .insertInto('fileRemoval')
          .values({ id, dueAt: now + UNCLAIMED_MS })
          .onConflict((conflict) => conflict.column('id').doUpdateSet({ dueAt: now + UNCLAIMED_MS })),
      ),
    );
    await (await files.store).put(id, archive, bytes);
    // Before it is done: its creator may then start another one at once, which needs the capacity that this one takes.
    await rm(folder, { recursive: true, force: true });
    await rm(archive, { force: true });
    await finish(claim, job, { state: 'done', bytes });
  } catch (error) {
    await rm(archive, { force: true });
    // A deleted export leaves nothing behind. Any other is continued in its folder.
    if (!(await db.read.first(find('export', { id })))) await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Writes the end of an export. */
const finish = (
  claim: Claim,
  { id, progress }: Pick<Job, 'id' | 'progress'>,
  end: { state: 'done' | 'failed'; bytes?: number },
): Promise<void> =>
  claim.within(async ({ db, emit, now }) => {
    const found = await db.first(find('export', { id }));
    if (!found) throw new Lost();
    const set = { ...end, ...progress, updatedAt: touched(found, now) };
    await removeTimer(db, id);
    await db.run(update('export', id, set));
    if (end.state === 'done') await db.run(q.deleteFrom('fileRemoval').where('id', '=', id));
    await emit(exportEvents.updated, toExport({ ...found, ...set }));
  });
