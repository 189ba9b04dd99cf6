import { createWriteStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { removeTimer, setTimer, type Timer } from '../../clock/timers.ts';
import { find, q, update } from '../../db/statements.ts';
import type { Services } from '../../operations/services.ts';
import { Lost } from '../../resources/claimed.ts';
import { touched } from '../../resources/common.ts';
import { exportEvents, toExport } from '../../resources/export.ts';
import { Claim } from '../claim.ts';
import { exportTo } from './export.ts';
import { zipOf } from './zip.ts';

const RENEW_MS = 15_000;
/** How long an export waits if this node has enough to do, in ms. */
const WAIT_MS = 15_000;
/** An export that is not complete after this time, in ms, has failed. */
const LONGEST_MS = 24 * 60 * 60_000;
/** An archive whose row is never written is removed after this time, in ms. */
const UNCLAIMED_MS = 60 * 60_000;

/** Starts or continues an export in the background. */
export async function startExport(
  services: Services,
  timer: Timer,
  onError: (error: unknown) => void,
): Promise<void> {
  const { db, deps, exports, files } = services;
  const { id, serverId } = timer;
  const row = await db.read.first(find('export', { id }));
  if (row?.state !== 'running') return db.write((tx) => removeTimer(tx, id), serverId);
  const progress = { messages: 0 };
  const claim = new Claim(services, timer, 'export', ({ db }) => db.run(update('export', id, progress)));
  const end = begun(() => exports.begin(row.creatorId, serverId));
  if (!end) {
    const later = { id, kind: 'export' as const, serverId, dueAt: deps.now() + WAIT_MS, now: deps.now() };
    return db.write((tx) => setTimer(tx, later), serverId);
  }
  try {
    await claim.renew();
  } catch (error) {
    end();
    if (error instanceof Lost) return;
    throw error;
  }
  const folder = join(files.working, id);
  const release = claim.keep(RENEW_MS);
  void run(services, claim, { ...row, folder, progress })
    .catch(async (error) => {
      if (error instanceof Lost) return;
      if (deps.now() - row.createdAt < LONGEST_MS) throw error;
      await finish(claim, { id, progress }, { state: 'failed' });
    })
    // Another attempt follows when the lease expires.
    .catch(onError)
    .finally(() => {
      release();
      end();
    });
}

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
    await finish(claim, job, { state: 'done', bytes });
    await rm(folder, { recursive: true, force: true });
  } catch (error) {
    // A deleted export leaves nothing behind. Any other is continued in its folder.
    if (!(await db.read.first(find('export', { id })))) await rm(folder, { recursive: true, force: true });
    throw error;
  } finally {
    await rm(archive, { force: true });
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
