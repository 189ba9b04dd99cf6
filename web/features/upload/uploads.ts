import { api, onSignedOut, PalaverError } from '../../api/index.ts';
import { createStore } from '../../ui/index.ts';
import { type Sending, sendFile } from './send.ts';

/** Maximum number of files per message, as in the API. */
export const MOST_FILES = 10;
/** The number of concurrent uploads. */
const AT_ONCE = 2;
/** Backoff in ms. If these retries fail, the error is shown. */
const PAUSES = [1_000, 3_000, 8_000];

/** An attachment of the next message in a channel or thread. */
export interface Upload {
  readonly key: string;
  readonly file: File;
  readonly state: 'waiting' | 'going' | 'done' | 'failed';
  /** The fraction that is uploaded, from 0 to 1. */
  readonly share: number;
  readonly attachmentId?: string;
  readonly error?: unknown;
  /** The object URL of the file's preview, which is only valid in this page. */
  readonly picture?: string;
}

/** The id of the channel or thread that uploads belong to. */
type PlaceId = string;

const shownTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const none: readonly Upload[] = Object.freeze([]);
const places = createStore<ReadonlyMap<PlaceId, readonly Upload[]>>(new Map());
const serverOf = new Map<PlaceId, string>();
const sendings = new Map<string, Sending>();
const waits = new Map<string, { end: () => void }>();
/** Called after each change. */
const looks = new Set<() => void>();
let going = 0;

export const uploadsAt = (place: PlaceId): readonly Upload[] => places.get().get(place) ?? none;
export const useUploads = (place: PlaceId): readonly Upload[] => places.use().get(place) ?? none;

function put(place: PlaceId, rows: readonly Upload[]): void {
  const next = new Map(places.get());
  if (rows.length > 0) next.set(place, rows);
  else next.delete(place);
  places.set(next);
  for (const look of [...looks]) look();
}

const change = (place: PlaceId, key: string, to: Partial<Upload>): void =>
  put(
    place,
    uploadsAt(place).map((row) => (row.key === key ? { ...row, ...to } : row)),
  );

/** A random key. `randomUUID` is not used, because it is missing on plain HTTP. */
const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** Adds files and starts to upload them. Returns the files that exceed the limit per message. */
export function addFiles(place: { id: PlaceId; serverId: string }, files: readonly File[]): readonly File[] {
  const room = MOST_FILES - uploadsAt(place.id).length;
  serverOf.set(place.id, place.serverId);
  const rows = files.slice(0, Math.max(0, room)).map((file): Upload => {
    const picture = shownTypes.has(file.type) ? { picture: URL.createObjectURL(file) } : {};
    return { key: newKey(), file, state: 'waiting', share: 0, ...picture };
  });
  put(place.id, [...uploadsAt(place.id), ...rows]);
  next();
  return files.slice(Math.max(0, room));
}

/** Removes a file, and deletes it from the server if it was already uploaded. */
export function removeFile(place: PlaceId, key: string): void {
  const row = uploadsAt(place).find((one) => one.key === key);
  if (!row) return;
  drop(place, row);
  sendings.get(key)?.cancel();
  waits.get(key)?.end();
  // If this fails, the server deletes the file after a day.
  if (row.attachmentId !== undefined)
    api(serverOf.get(place) ?? 'none')
      .attachmentDelete({ attachmentId: row.attachmentId })
      .catch(() => undefined);
}

/** Retries a failed upload. */
export function retryFile(place: PlaceId, key: string): void {
  change(place, key, { state: 'waiting', share: 0, error: undefined });
  next();
}

/** Returns the ids of the uploaded files and clears the list, because the files are now part of a message. */
export function takeFiles(place: PlaceId): string[] {
  const rows = uploadsAt(place);
  for (const row of rows) drop(place, row);
  return rows.map(({ attachmentId }) => attachmentId).filter((id) => id !== undefined);
}

/**
 * Resolves once no upload in the channel or thread is pending, with true if all succeeded. If `signal` is aborted,
 * resolves with false at once.
 */
export function whenUploaded(place: PlaceId, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const look = () => {
      const rows = uploadsAt(place);
      const isOver = rows.every(({ state }) => state === 'done' || state === 'failed');
      if (!isOver && !signal.aborted) return;
      looks.delete(look);
      signal.removeEventListener('abort', look);
      resolve(isOver && !signal.aborted && rows.every(({ state }) => state === 'done'));
    };
    looks.add(look);
    signal.addEventListener('abort', look);
    look();
  });
}

function drop(place: PlaceId, row: Upload): void {
  if (row.picture !== undefined) URL.revokeObjectURL(row.picture);
  put(
    place,
    uploadsAt(place).filter(({ key }) => key !== row.key),
  );
}

/** Starts queued uploads, up to the concurrency limit. */
function next(): void {
  for (const [place, rows] of places.get())
    for (const row of rows) {
      if (going >= AT_ONCE) return;
      if (row.state === 'waiting') void upload(place, row);
    }
}

async function upload(place: PlaceId, { key, file }: Upload): Promise<void> {
  going++;
  change(place, key, { state: 'going' });
  try {
    change(place, key, { state: 'done', share: 1, attachmentId: await attempts(place, key, file) });
  } catch (error) {
    change(place, key, { state: 'failed', error });
  } finally {
    sendings.delete(key);
    going--;
    next();
  }
}

const isPassing = ({ status }: PalaverError): boolean =>
  status === 0 || status === 408 || status === 429 || status >= 500;

/** Uploads a file and retries transient errors. The key prevents duplicates. */
async function attempts(place: PlaceId, key: string, file: File): Promise<string> {
  for (let attempt = 0; ; attempt++) {
    const onProgress = (share: number) => change(place, key, { share });
    const sending = sendFile(serverOf.get(place) ?? 'none', file, { key, onProgress });
    sendings.set(key, sending);
    try {
      return (await sending.done).id;
    } catch (error) {
      const pause = PAUSES[attempt];
      const isHere = uploadsAt(place).some((row) => row.key === key);
      if (!isHere || pause === undefined || !(error instanceof PalaverError) || !isPassing(error))
        throw error;
      change(place, key, { share: 0 });
      await waitFor(key, Math.max(pause, (error.retryAfter ?? 0) * 1_000));
      if (!uploadsAt(place).some((row) => row.key === key)) throw error;
    }
  }
}

/** Waits this many ms, or less if the network comes back or the file is removed. */
function waitFor(key: string, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener('online', end);
      waits.delete(key);
      resolve();
    };
    const timer = setTimeout(end, ms);
    addEventListener('online', end);
    waits.set(key, { end });
  });
}

// The next user of this device must not see the previous user's files.
onSignedOut(() => {
  for (const [place, rows] of places.get()) for (const { key } of rows) removeFile(place, key);
});

addEventListener('online', () => {
  for (const [place, rows] of places.get())
    for (const { key, state, error } of rows)
      if (state === 'failed' && error instanceof PalaverError && isPassing(error)) retryFile(place, key);
});

// A reload would lose the chosen files.
addEventListener('beforeunload', (event) => {
  if (places.get().size > 0) event.preventDefault();
});
