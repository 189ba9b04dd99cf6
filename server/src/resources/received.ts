import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import type { Principal } from '../access/principal.ts';
import type { Reader } from '../db/contract.ts';
import { find, prepare, q, update } from '../db/statements.ts';
import { ApiError, invalid } from '../errors.ts';
import type { Arrived } from '../files/incoming.ts';
import type { Inspected } from '../files/media/inspect.ts';
import type { Previews } from '../files/media/previews.ts';
import { nameFrom } from '../files/name.ts';
import { type FileStore, fileKeys, type PreviewSize } from '../files/store.ts';
import { late } from '../lib/late.ts';
import {
  requireFileRoom,
  requirePersonRoom,
  requireStorageRoom,
  type StorageLimits,
} from '../limits/room.ts';
import type { Call } from '../operations/call.ts';
import type { Services } from '../operations/services.ts';
import type { Incoming as Given } from '../operations/upload.ts';
import type { Work } from '../operations/work.ts';
import { previewNames } from './attached.ts';

/** Media parsers, loaded with the first file. */
const loadMedia = late(async () => ({
  ...(await import('../files/media/inspect.ts')),
  ...(await import('../files/media/previews.ts')),
}));

/**
 * Time in ms after which the file from an unfinished upload is deleted. It is far longer than an upload may
 * take.
 */
const ENDS_WITHIN_MS = 24 * 60 * 60_000;

/** A stored file that is not referenced by a row yet. */
interface Received extends Omit<Inspected, 'pieces'> {
  id: string;
  name: string;
  bytes: number;
  /** The person whose storage quota the file counts against. */
  payerId: string;
  thumbhash: string | null;
  previews: PreviewSize[];
}

/** The user who uploads the file. */
type Uploader = Pick<Principal, 'userId' | 'userType' | 'serverId'>;

/** A stored file, with the SHA-256 digest of the received bytes. */
export interface Upload {
  file: Received;
  /** The limits at the start of the upload. */
  limits: StorageLimits;
  sha256: string;
}

interface Accepting {
  /** The server whose quota applies, if any. */
  serverId: string | null;
  /** Throws INVALID_REQUEST if the file is rejected. */
  accept?(inspected: Inspected): void;
}

/** Receives and inspects a file, and stores it with its previews (docs/decisions/0054). */
export async function receiveFile(
  { db, caller, principal }: Call,
  { bytes, name }: Given,
  services: Services,
  accepting: Accepting,
): Promise<Upload> {
  const tenant = caller?.tenant ?? principal.userId;
  return receive(services, db, bytes, { ...accepting, name, tenant, uploader: principal });
}

/**
 * Stores a file that Palaver has loaded on behalf of a member of a server, such as the picture of a link
 * preview. It counts towards the same quotas as an upload by that member. Throws INVALID_REQUEST if it would
 * exceed one or is rejected.
 */
export const receiveLoaded = (
  services: Services,
  bytes: Uint8Array,
  uploader: Pick<Principal, 'userId' | 'userType'>,
  accepting: Accepting & { serverId: string },
): Promise<Upload> => {
  const { serverId } = accepting;
  const of = { name: undefined, tenant: serverId, uploader: { ...uploader, serverId } };
  return receive(services, services.db.read, Readable.from([bytes]), { ...accepting, ...of });
};

async function receive(
  services: Services,
  db: Reader,
  bytes: Readable,
  {
    name,
    tenant,
    uploader,
    serverId,
    accept = () => {},
  }: Accepting & { name: string | undefined; tenant: string; uploader: Uploader },
): Promise<Upload> {
  // The limits are checked before any bytes are read, so that clients do not send a large file needlessly.
  const limits = await services.settings.current();
  const payerId = await payerOf(db, uploader, serverId);
  const requireRoom = async (bytes: number) => {
    if (serverId !== null) await requireFileRoom(db, services.quotas, serverId, bytes);
    await requirePersonRoom(db, limits, payerId, bytes);
    await requireStorageRoom(db, limits, bytes);
  };
  await requireRoom(1);
  const { incoming } = services.files;
  const arrived = await incoming.take(bytes);
  services.files.figures.bytes += arrived.bytes;
  const paths = [arrived.path];
  try {
    if (arrived.bytes === 0) throw invalid('blank', 'file', 'must not be empty');
    const stored = await storeArrived(services, arrived, {
      id: services.deps.newId(),
      tenant,
      paths,
      accept(inspected, mostPixels) {
        accept(inspected);
        requirePixels(inspected, mostPixels);
      },
      requireRoom,
    });
    const { sha256 } = arrived;
    return { file: { ...stored, name: nameFrom(name), payerId }, limits, sha256 };
  } finally {
    await Promise.all(paths.map((path) => rm(path, { force: true })));
  }
}

interface Storing {
  /** The id of the file's future row. */
  id: string;
  tenant: string;
  /** Collects the paths of temporary files, for the caller to delete. */
  paths: string[];
  /** Throws if the file is rejected. `mostPixels` is the maximum number of pixels for display. */
  accept?(inspected: Inspected, mostPixels: number): void;
  requireRoom?(bytes: number): Promise<void>;
}

/** Detects the type of a received file, and reads its metadata. */
export async function inspectArrived({ path, bytes }: Arrived, tenant: string): Promise<Inspected> {
  const { inspect, turnOf } = await loadMedia();
  return inspect(path, bytes, turnOf(tenant));
}

/** Inspects a received file, and stores it without metadata, with its previews. No row references it yet. */
export async function storeArrived(
  services: Pick<Services, 'db' | 'deps' | 'files'>,
  arrived: Arrived,
  { id, tenant, paths, accept, requireRoom }: Storing,
): Promise<Omit<Received, 'name' | 'payerId'>> {
  const { incoming } = services.files;
  const { inspect, isWhole, MAX_PIXELS, previewsOf, turnOf } = await loadMedia();
  const turn = turnOf(tenant);
  const inspected = await inspect(arrived.path, arrived.bytes, turn);
  accept?.(inspected, MAX_PIXELS);
  // Skips the parts that inspection removed, such as metadata.
  const kept = isWhole(inspected, arrived.bytes)
    ? arrived
    : await incoming.assemble(arrived, inspected.pieces, turn);
  paths.push(kept.path);
  await requireRoom?.(kept.bytes);
  const made = await previewsOf(kept.path, inspected.type, tenant);
  await store(services, id, kept, made, paths);
  const { type, width, height } = inspected;
  const { thumbhash, images } = made;
  const previews = previewNames.filter((size) => images[size]);
  return { id, type, width, height, bytes: kept.bytes, thumbhash, previews };
}

/**
 * Returns the person whose quota a file counts against: its uploader or, for an agent, the owner of the
 * server.
 */
async function payerOf(
  db: Reader,
  { userId, userType, serverId: home }: Uploader,
  serverId: string | null,
): Promise<string> {
  const id = serverId ?? home;
  const server = userType === 'agent' && id !== null ? await db.first(find('server', { id })) : undefined;
  return server?.creatorId ?? userId;
}

/**
 * Removes a file from the list of files to remove, in the transaction that creates its row, and counts its
 * bytes. Throws INVALID_REQUEST if the person has reached their storage limit, and INTERNAL_ERROR if the file
 * is no longer on the list.
 */
export async function keepFile(
  { db }: Pick<Work, 'db'>,
  serverId: string | null,
  { file: { id, bytes, payerId }, limits }: Upload,
): Promise<void> {
  await requirePersonRoom(db, limits, payerId, bytes);
  const stored = q.deleteFrom('fileRemoval').where('id', '=', id).where('dueAt', '>', 0);
  if ((await db.count(stored)) === 0)
    throw new ApiError('INTERNAL_ERROR', 'the upload took too long. Try again');
  if (serverId !== null) await db.run(used({ serverId, bytes }));
  await db.run(paid({ userId: payerId, bytes }));
}

/**
 * Makes a file due for removal unless a row references it. An error does not always mean that nothing was
 * committed; if the row was committed, this does nothing.
 */
export async function discardFile({ file: { id } }: Upload, { db }: Pick<Services, 'db'>): Promise<void> {
  await db.write((tx) => tx.run(update('fileRemoval', id, { dueAt: 0 }))).catch(() => {});
}

/** An upsert, because an import stores a file again if it was killed before it wrote the row. */
const listed = prepare((p: { id: string; dueAt: number }) =>
  q
    .insertInto('fileRemoval')
    .values({ id: p.id, dueAt: p.dueAt })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ dueAt: sql<number>`excluded."dueAt"` })),
);

const used = prepare((p: { serverId: string; bytes: number }) =>
  q
    .insertInto('fileUse')
    .values({ serverId: p.serverId, bytes: p.bytes })
    .onConflict((conflict) =>
      conflict.column('serverId').doUpdateSet({ bytes: sql<number>`"fileUse".bytes + excluded.bytes` }),
    ),
);

const paid = prepare((p: { userId: string; bytes: number }) =>
  q
    .insertInto('personUse')
    .values({ userId: p.userId, bytes: p.bytes })
    .onConflict((conflict) =>
      conflict.column('userId').doUpdateSet({ bytes: sql<number>`"personUse".bytes + excluded.bytes` }),
    ),
);

function requirePixels({ width, height, type }: Inspected, most: number): void {
  if (!type.startsWith('image/') || width === null || height === null) return;
  if (width === 0 || height === 0 || width * height > most)
    throw invalid(
      'too_large',
      'file',
      `has ${width} × ${height} pixels. The limit is ${most / 1e6} million pixels`,
    );
}

/** Stores a file and its previews. Adds the paths it creates to `paths`. */
async function store(
  { db, deps, files }: Pick<Services, 'db' | 'deps' | 'files'>,
  id: string,
  kept: Arrived,
  { images }: Previews,
  paths: string[],
): Promise<void> {
  const store: FileStore = await files.store;
  const keys = fileKeys(id);
  // The file is first added to the list of files to remove. If anything fails before a row references the
  // file, it is deleted later.
  const removal = { id, dueAt: deps.now() + ENDS_WITHIN_MS };
  await db.write((tx) => tx.run(listed(removal)));
  for (const size of previewNames) {
    const image = images[size];
    if (!image) continue;
    const { path, bytes } = await files.incoming.keep(image);
    paths.push(path);
    await store.put(keys[size], path, bytes);
  }
  await store.put(keys.whole, kept.path, kept.bytes);
}
