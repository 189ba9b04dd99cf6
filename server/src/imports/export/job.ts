import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type AnyTimer, removeTimer } from '../../clock/timers.ts';
import { find, q, update } from '../../db/statements.ts';
import { isId } from '../../lib/deps.ts';
import { MEGABYTE } from '../../limits/room.ts';
import type { Services } from '../../operations/services.ts';
import type { Work } from '../../operations/work.ts';
import { Lost } from '../../resources/claimed.ts';
import { touched } from '../../resources/common.ts';
import { exportEvents, toExport } from '../../resources/export.ts';
import { Claim } from '../claim.ts';
import { type ExportGiven, exportTo } from './export.ts';
import { exportPerson } from './person.ts';
import { ExportRefused } from './refused.ts';
import { zipOf } from './zip.ts';

/** After this time, in ms, a stored archive is removed, unless its export was marked as done. */
const UNCLAIMED_MS = 60 * 60_000;

type Table = 'export' | 'personExport';

interface Job {
  id: string;
  table: Table;
  folder: string;
  progress: { messages: number };
  /** Writes the files of the export. */
  write(given: ExportGiven): Promise<unknown>;
}

type End = { state: 'done'; bytes: number } | { state: 'failed'; failure: 'too_large' | 'too_late' };

/** Starts or continues an export in the background. */
export const startExport = (
  services: Services,
  timer: AnyTimer,
  onError: (error: unknown) => void,
): Promise<void> =>
  timer.kind === 'personExport'
    ? Claim.start(services, timer, 'personExport', onError, ({ id, userId }) =>
        runnerOf(
          services,
          { userId, tenant: userId },
          {
            ...{ id, table: 'personExport' },
            write: (given) => exportPerson({ ...given, userId }),
          },
        ),
      )
    : Claim.start(services, timer, 'export', onError, ({ id, creatorId, serverId, channelId }) =>
        runnerOf(
          services,
          { userId: creatorId, tenant: serverId },
          {
            ...{ id, table: 'export' },
            write: (given) => exportTo({ ...given, scope: { serverId, channelId: channelId ?? undefined } }),
          },
        ),
      );

function runnerOf(
  services: Services,
  { userId, tenant }: { userId: string; tenant: string },
  given: Pick<Job, 'id' | 'table' | 'write'>,
) {
  const folder = join(services.files.working, given.id);
  const job: Job = { ...given, folder, progress: { messages: 0 } };
  return {
    begin: () => begun(() => services.exports.begin(userId, tenant)),
    note: ({ db }: Work) => db.run(update(job.table, job.id, job.progress)),
    run: (claim: Claim) => run(services, claim, job),
    async fail(claim: Claim, error: unknown, isLate: boolean) {
      const isRefused = error instanceof ExportRefused;
      if (!isRefused && !isLate) throw error;
      await finish(claim, job, { state: 'failed', failure: isRefused ? 'too_large' : 'too_late' });
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Calls `begin`; returns undefined if it throws because a limit is reached. */
function begun(begin: () => () => void): (() => void) | undefined {
  try {
    return begin();
  } catch {
    return undefined;
  }
}

async function run(services: Services, claim: Claim, job: Job): Promise<void> {
  const { db, deps, disks, files } = services;
  const { id, table, folder, progress } = job;
  const archive = `${folder}.zip`;
  try {
    await removeLeft(services);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await job.write({
      ...{ db: db.read, files, folder, maxBytes: services.exportMegabytes * MEGABYTE },
      now: () => deps.now(),
      newId: () => deps.newId(),
      async onProgress(messages) {
        progress.messages = messages;
        claim.check();
        await disks.files.requireRoom();
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
    // Frees the disk space before the export is marked as done, because its creator may immediately start
    // another one.
    await rm(folder, { recursive: true, force: true });
    await rm(archive, { force: true });
    await finish(claim, job, { state: 'done', bytes });
  } catch (error) {
    await rm(archive, { force: true });
    // The folder of an export that is still running is kept, because another attempt continues in it.
    if (!(await isRunning(services, table, id))) await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

const isRunning = async ({ db }: Services, table: Table | 'import', id: string): Promise<boolean> =>
  (await db.read.first(find(table, { id })))?.state === 'running';

/** Removes the files of exports and imports that ended while this node was down. */
async function removeLeft(services: Services): Promise<void> {
  const { working } = services.files;
  const names = await readdir(working).catch(() => []);
  for (const name of names) {
    const id = name.replace(/\.zip$/, '');
    if (!isId(id)) continue;
    const tables = ['export', 'personExport', 'import'] as const;
    const isLeft = (await Promise.all(tables.map((table) => isRunning(services, table, id)))).every(
      (found) => !found,
    );
    if (isLeft) await rm(join(working, name), { recursive: true, force: true });
  }
}

/** Records the end of an export. */
const finish = (claim: Claim, { id, table, progress }: Job, end: End): Promise<void> =>
  claim.within(async (work) => {
    const { db, emit, now } = work;
    await removeTimer(db, id);
    if (end.state === 'done') await db.run(q.deleteFrom('fileRemoval').where('id', '=', id));
    if (table === 'personExport') {
      const found = await db.first(find('personExport', { id }));
      if (found?.state !== 'running') throw new Lost();
      return db.run(update('personExport', id, { ...end, ...progress, updatedAt: touched(found, now) }));
    }
    const found = await db.first(find('export', { id }));
    if (!found) throw new Lost();
    const { state, bytes = null } = { bytes: null, ...end };
    const set = { state, bytes, ...progress, updatedAt: touched(found, now) };
    await db.run(update('export', id, set));
    await emit(exportEvents.updated, toExport({ ...found, ...set }));
  });
