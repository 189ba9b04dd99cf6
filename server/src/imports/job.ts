import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type AnyTimer, removeTimer } from '../clock/timers.ts';
import type { RowOf } from '../db/schema.ts';
import { find, q, update } from '../db/statements.ts';
import type { Services } from '../operations/services.ts';
import { personActor, system } from '../operations/work.ts';
import { changeAs } from '../resources/change.ts';
import { touched } from '../resources/common.ts';
import { withLine } from '../resources/platform/importRecord.ts';
import { announceUnfinished } from '../resources/unfinishedImport.ts';
import { openArchive } from './archive.ts';
import { Claim } from './claim.ts';
import { Cancelled, type Pace } from './import.ts';
import { prepare } from './into.ts';
import type { Destination } from './place.ts';
import type { Report } from './report.ts';
import { ArchiveRefused, kinds } from './row.ts';

/**
 * Throttles imports on a node: after each transaction, it pauses for as long as the transaction took. Other
 * writes therefore wait for one transaction at most.
 */
const pace: Pace = {
  rows: 100,
  characters: 200_000,
  rest: (tookMs) => sleep(Math.max(1, tookMs)),
};

/** The nodes in this process that are running an import. A node runs one import at a time. */
const busy = new WeakSet<object>();

interface Progress {
  rows: number;
  totalRows: number | null;
  log: RowOf<'import'>['log'];
}

interface Job {
  services: Services;
  claim: Claim;
  row: RowOf<'import'>;
  progress: Progress;
}

/** Starts or continues an import in the background. */
export const startImport = (
  services: Services,
  timer: AnyTimer,
  onError: (error: unknown) => void,
): Promise<void> =>
  Claim.start(services, timer, 'import', onError, (row) => {
    const progress: Progress = { rows: 0, totalRows: row.totalRows, log: row.log };
    return {
      begin: () => begun(services.db),
      note: ({ db, now }) => db.run(update('import', row.id, { ...progress, updatedAt: now })),
      run: (claim) => run({ services, claim, row, progress }),
      async fail(claim, error, isLate) {
        if (error instanceof Cancelled) return;
        if (!(error instanceof ArchiveRefused) && !isLate) throw error;
        const failure = error instanceof ArchiveRefused ? error.message : 'It took too long';
        const job = { services, claim, row, progress };
        await announceRest(job);
        await finish(job, { state: 'failed', failure: failure.slice(0, 1_000) }, `Failed: ${failure}`);
      },
    };
  });

/** Announces the rows that earlier attempts have written. */
async function announceRest({ services, claim, row: { id, source } }: Job): Promise<void> {
  claim.check();
  const { serverId = null } = (await services.db.read.first(find('import', { id }))) ?? {};
  if (serverId === null) return;
  const unfinished = { serverId, source };
  await changeAs(
    system,
    services,
    (work) => announceUnfinished(work, unfinished, { goesOn: false }),
    serverId,
  );
}

/** Marks a node as busy until the returned function is called. Undefined if it already is. */
function begun(node: object): (() => void) | undefined {
  if (busy.has(node)) return undefined;
  busy.add(node);
  return () => busy.delete(node);
}

async function run(job: Job): Promise<void> {
  const { services, row } = job;
  const folder = join(services.files.working, row.id);
  const path = join(folder, 'archive');
  const releaseSpace = await services.disks.files.reserve(row.bytes);
  try {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await assemble(job, path);
    const archive = await openArchive(path, { scratch: folder });
    try {
      await importAll(job, archive);
    } finally {
      await archive.close();
    }
  } finally {
    releaseSpace();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Joins the parts of the archive into one file. Throws ArchiveRefused if it is not the announced archive. */
async function assemble({ services: { db, files }, claim, row }: Job, path: string): Promise<void> {
  const parts = await db.read.all(
    q
      .selectFrom('importPart')
      .select(['id', 'offset', 'bytes'])
      .where('importId', '=', row.id)
      .orderBy('offset'),
  );
  const store = await files.store;
  const hash = createHash('sha256');
  const all = async function* () {
    for (const { id } of parts) {
      claim.check();
      for await (const chunk of (await store.open(id)) as AsyncIterable<Buffer>) {
        hash.update(chunk);
        yield chunk;
      }
    }
  };
  await pipeline(Readable.from(all()), createWriteStream(path, { mode: 0o600 }));
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
  const isWhole = bytes === row.bytes && (row.sha256 === null || hash.digest('hex') === row.sha256);
  if (!isWhole)
    throw new ArchiveRefused('the uploaded archive does not match its announced size or checksum');
}

async function importAll(job: Job, archive: Awaited<ReturnType<typeof openArchive>>): Promise<void> {
  const { services, claim, row, progress } = job;
  const { quotas, allowedHosts } = services;
  const acting = { ...services, actor: personActor(row.creatorId) };
  const { server, plan, run } = await prepare({
    ...{ services: acting, source: row.source, archive, to: await destinationOf(job), quotas, pace },
    isRetried: true,
    settings: await services.settings.current(),
    allowedHosts: { allowPrivate: allowedHosts.allowPrivate, hosts: [] },
    onProgress(rows) {
      progress.rows = rows;
      if (claim.isDeleted) throw new Cancelled();
      claim.check();
    },
  });
  progress.totalRows = null;
  const planned = await plan();
  progress.totalRows = progress.rows;
  if (row.isDryRun) return finish(job, { state: 'planned', planned }, 'The dry run is complete');
  progress.rows = 0;
  await note(
    job,
    { planned: row.planned ?? planned, serverId: server.id },
    'Importing what the dry run found',
  );
  const report = await run();
  // If an earlier attempt has written some rows, the report covers both attempts.
  const isAsPlanned = isDeepStrictEqual(planned, report);
  const first = row.planned as Report | null;
  const whole = isAsPlanned && first !== null && isSameArchive(first, report) ? first : report;
  await finish(
    job,
    { state: 'done', report: whole, ...(isAsPlanned && { planned: whole }), serverId: server.id },
    isAsPlanned ? 'Complete' : 'Complete, but it differs from its dry run',
  );
}

/** Whether two reports cover the same rows, regardless of which rows existed before. */
const isSameArchive = (one: Report, other: Report): boolean =>
  kinds.every((kind) => one[kind].found === other[kind].found && one[kind].lost === other[kind].lost);

/** Returns the target of an import. Throws ArchiveRefused. */
async function destinationOf({ services: { db }, row }: Job): Promise<Destination> {
  if (row.newServer === null) return { serverId: row.serverId ?? '' };
  const owner = await db.read.first(find('user', { id: row.ownerId ?? '' }));
  if (!owner) throw new ArchiveRefused('the owner of the new server no longer exists');
  return { name: row.newServer, owner };
}

type Changes = Partial<Pick<RowOf<'import'>, 'state' | 'planned' | 'report' | 'failure' | 'serverId'>>;

/** Updates the record of a running import. Throws Lost. */
function note({ services, claim, row, progress }: Job, set: Changes, line: string): Promise<void> {
  progress.log = withLine(progress.log, services.deps.now(), line);
  return claim.within(({ db, now }) =>
    db.run(update('import', row.id, { ...set, ...progress, updatedAt: now })),
  );
}

/** Records the end of an import. Keeps the archive only after a dry run. */
const finish = ({ claim, row, progress }: Job, set: Changes, line: string): Promise<void> =>
  claim.within(async ({ db, now }) => {
    const log = withLine(progress.log, now, line);
    await removeTimer(db, row.id);
    await db.run(update('import', row.id, { ...set, ...progress, log, updatedAt: touched(row, now) }));
    if (set.state !== 'planned') await db.run(q.deleteFrom('importPart').where('importId', '=', row.id));
  });
