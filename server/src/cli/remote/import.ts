import { randomUUID } from 'node:crypto';
import { createWriteStream, openAsBlob } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { zipOf } from '../../imports/export/zip.ts';
import type { Report } from '../../imports/report.ts';
import { fileDigest } from '../../lib/fileDigest.ts';
import { CommandError } from '../commandError.ts';
import { type ImportOptions, requireDestination, sourceFrom } from '../moving/import.ts';
import { percent, type TellStep } from '../terminal.ts';
import { ANSWER_MS, ask, dataOf, Refused, type Remote, retried } from './remote.ts';

/** Bytes in one request. */
const PART_BYTES = 16_000_000;
/** The minimum connection speed, in bytes per ms, at which requests do not time out. */
const LEAST_BYTES_A_MS = 20;
/** Maximum attempts per request. */
const MAX_TRIES = 8;
/** Initial and maximum poll interval for a running import, in ms. */
const LOOK_MS = { first: 200, most: 3_000 };
/** The modification time of all packed files. Zip archives cannot store times before 1980. */
const PACKED_AT = new Date(1980, 1, 1);
const IMPORTS = '/platform/imports';

/** An import, as the server returns it. */
interface Shown {
  id: string;
  state: 'uploading' | 'ready' | 'running' | 'planned' | 'done' | 'failed';
  source: string;
  serverId: string | null;
  newServer: string | null;
  bytes: number;
  received: number;
  sha256: string | null;
  dryRun: boolean;
  rows: number;
  totalRows: number | null;
  planned: Report | null;
  report: Report | null;
  asPlanned: boolean | null;
  failure: string | null;
}

/**
 * `palaver import` through a running server: uploads the archive in parts, starts the import, and waits for
 * its report. Resumes an unfinished upload. Throws CommandError.
 */
export async function importRemotely(
  remote: Remote,
  path: string,
  given: ImportOptions,
  tell: TellStep = () => {},
): Promise<{ report: Report; isAsPlanned: boolean }> {
  const source = sourceFrom(given.from);
  requireDestination(given);
  const { file, name, remove } = await packed(path, tell);
  try {
    const request = requester(remote, tell);
    const { size: bytes } = await stat(file);
    const sha256 = await fileDigest(file);
    const { server: serverId, newServer, owner } = given;
    const wanted = { source, bytes, sha256, name, serverId, newServer, owner };
    const made = (await unfinished(request, wanted)) ?? (await request<Shown>(IMPORTS, json(wanted)));
    const complete = await send(request, made, file, tell);
    return await ended(request, complete, given.dryRun === true, tell);
  } finally {
    await remove();
  }
}

type Init = Omit<RequestInit, 'headers'> & { headers?: Record<string, string>; answerMs?: number };
type Request = <T>(path: string, init?: Init) => Promise<T>;

const json = (body: object) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** Sends requests with retries. */
const requester =
  (remote: Remote, tell: TellStep): Request =>
  async (path, { headers = {}, answerMs = ANSWER_MS, ...init }: Init = {}) => {
    const key = init.method === 'POST' && { 'idempotency-key': randomUUID() };
    const from = { ...init, headers: { ...headers, ...key, 'palaver-server': 'none' } };
    return retried(MAX_TRIES, tell, async (attempt) => {
      try {
        return await dataOf(await ask(remote, path, from, { prefix: '/api/people', answerMs }));
      } catch (error) {
        // Expected if the response to an earlier attempt was lost.
        const isDeleted = init.method === 'DELETE' && error instanceof Refused && error.code === 'NOT_FOUND';
        if (isDeleted && attempt > 1) return undefined as never;
        throw error;
      }
    });
  };

/** Returns the archive as one file. A folder is packed deterministically. */
async function packed(path: string, tell: TellStep) {
  const found = await stat(path).catch((error) => {
    throw new CommandError(error.code === 'ENOENT' ? `${path} does not exist` : `${path} cannot be read`);
  });
  const name = basename(resolve(path)).slice(0, 200);
  if (!found.isDirectory()) return { file: path, name, remove: async () => {} };
  const folder = await mkdtemp(join(tmpdir(), 'palaver-import-'));
  const file = join(folder, 'archive.zip');
  const remove = () => rm(folder, { recursive: true, force: true });
  tell('Packing the folder');
  try {
    await pipeline(await zipOf(resolve(path), PACKED_AT), createWriteStream(file));
  } catch (error) {
    await remove();
    throw new CommandError(`${path} cannot be packed: ${(error as Error).message}`);
  }
  return { file, name, remove };
}

/** Finds an unfinished import of the same archive into the same server. */
async function unfinished(
  request: Request,
  wanted: { source: string; sha256: string; serverId?: string | undefined; newServer?: string | undefined },
): Promise<Shown | undefined> {
  const list = await request<Shown[]>(`${IMPORTS}?limit=100`);
  return list.find(
    ({ state, source, sha256, serverId, newServer }) =>
      state !== 'done' &&
      state !== 'failed' &&
      source === wanted.source &&
      sha256 === wanted.sha256 &&
      newServer === (wanted.newServer ?? null) &&
      (wanted.newServer !== undefined || serverId === wanted.serverId),
  );
}

/** Uploads the parts that have not arrived yet. */
async function send(request: Request, made: Shown, file: string, tell: TellStep): Promise<Shown> {
  const showed = percent(tell, 'Uploading the archive');
  const blob = await openAsBlob(file);
  let found = made;
  while (found.state === 'uploading') {
    const { id, received: offset, bytes } = found;
    showed(offset, bytes);
    const part = blob.slice(offset, Math.min(bytes, offset + PART_BYTES));
    const body = new FormData();
    body.append('file', part, 'part');
    const answerMs = ANSWER_MS + part.size / LEAST_BYTES_A_MS;
    try {
      found = await request<Shown>(`${IMPORTS}/${id}/parts/${offset}`, { method: 'POST', body, answerMs });
    } catch (error) {
      // The server may have received a part whose response was lost.
      const current = await request<Shown>(`${IMPORTS}/${id}`);
      if (current.received === offset) throw error;
      found = current;
    }
  }
  return found;
}

/** Starts the import, and waits until it ends. */
async function ended(request: Request, ready: Shown, isDryRun: boolean, tell: TellStep) {
  const path = `${IMPORTS}/${ready.id}`;
  let found = await request<Shown>(`${path}/start`, json({ dryRun: isDryRun }));
  for (let wait = LOOK_MS.first; found.state === 'running'; wait = Math.min(LOOK_MS.most, wait * 1.5)) {
    const { rows, totalRows } = found;
    tell(
      totalRows === null ? `Reading the archive: ${rows} rows` : `Importing: ${rows} of ${totalRows} rows`,
    );
    await sleep(wait);
    found = await request<Shown>(path);
  }
  const { failure, planned, report, asPlanned } = found;
  if (isDryRun && planned) {
    await request(path, { method: 'DELETE' });
    return { report: planned, isAsPlanned: true };
  }
  if (!report) throw new CommandError(failure ?? 'the import was cancelled');
  return { report, isAsPlanned: asPlanned === true };
}
