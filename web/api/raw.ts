import { PalaverError } from '../../client/src/index.ts';
import { base } from './base.ts';
import { endSession } from './endings.ts';
import { withSafeNames } from './names.ts';
import type { Records } from './records.ts';
import { loadRefusals } from './refusals/index.ts';

interface Body {
  data: unknown;
  nextCursor?: string;
  /** True if the `Link` header names a next page. */
  hasNext: boolean;
}

const noAnswer = (message: string, status = 0, cause?: unknown) =>
  new PalaverError({ code: 'NO_ANSWER', status, message, cause });

/**
 * Makes requests that have no method in the generated client: multipart forms, pages of the log, and bytes.
 * Throws PalaverError, even if `take` fails to read the response.
 */
async function ask<T>(
  place: string,
  path: string,
  init: RequestInit,
  take: (response: Response) => Promise<T>,
): Promise<T> {
  let response: Response;
  let error: Records['Error']['error'] | undefined;
  try {
    response = await fetch(base + path, { ...init, headers: { ...init.headers, 'Palaver-Server': place } });
    if (response.ok) return await take(response);
    // A proxy may return HTML.
    const text = await response.text();
    error = parsed(text)?.error;
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw noAnswer('the server did not respond', 0, cause);
  }
  const { status, headers } = response;
  if (status === 401) endSession();
  await loadRefusals();
  if (!error) throw noAnswer(`the response with status ${status} is not from Palaver`, status);
  throw new PalaverError({ ...error, status, retryAfter: Number(headers.get('retry-after')) || undefined });
}

function parsed(text: string): Partial<Records['Error']> | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const bodyOf = async (response: Response): Promise<Body> => ({
  ...withSafeNames((await response.json()) as Body),
  hasNext: /rel="?next/.test(response.headers.get('link') ?? ''),
});

/** Downloads the export of the user's data, as JSON Lines. Throws PalaverError. */
export const ownData = (signal: AbortSignal): Promise<Blob> =>
  ask('none', '/api/people/export', { signal }, (response) => response.blob());

/** Checks whether an export of the user's data can be downloaded now. Throws PalaverError if not. */
export const mayDownloadExport = (id: string): Promise<ArrayBuffer> =>
  ask(
    'none',
    `/api/people/exports/${encodeURIComponent(id)}/content`,
    { headers: { range: 'bytes=0-0' } },
    (response) => response.arrayBuffer(),
  );

async function upload(
  place: string,
  path: string,
  file: File,
  fields: Record<string, string> = {},
): Promise<unknown> {
  const body = new FormData();
  // The server needs the fields before the file.
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  body.append('file', file);
  return (await ask(place, path, { method: 'POST', body }, bodyOf)).data;
}

/** Uploads a server's `icon` or `banner`. Throws PalaverError. */
export const uploadPicture = (
  serverId: string,
  what: 'icon' | 'banner',
  file: File,
): Promise<Records['Server']> =>
  upload(serverId, `/api/v1/servers/${encodeURIComponent(serverId)}/${what}`, file) as Promise<
    Records['Server']
  >;

/** Uploads the picture of a direct message. Throws PalaverError. */
export const uploadGroupPicture = (
  { id, serverId }: Pick<Records['Channel'], 'id' | 'serverId'>,
  file: File,
): Promise<Records['Channel']> =>
  upload(serverId, `/api/v1/channels/${encodeURIComponent(id)}/image`, file) as Promise<Records['Channel']>;

/** Adds a custom emoji to a server. Throws PalaverError. */
export const uploadEmoji = (serverId: string, name: string, file: File): Promise<Records['Emoji']> =>
  upload(serverId, '/api/v1/emoji', file, { name }) as Promise<Records['Emoji']>;

/** Uploads the part of an import's archive that begins at `offset`. Throws PalaverError. */
export const uploadPart = (id: string, offset: number, part: Blob): Promise<Records['PlatformImport']> =>
  upload(
    'none',
    `/api/people/platform/imports/${encodeURIComponent(id)}/parts/${offset}`,
    new File([part], 'part'),
  ) as Promise<Records['PlatformImport']>;

/** Uploads the user's avatar. Throws PalaverError. */
export const uploadOwnPicture = (file: File): Promise<Records['User']> =>
  upload('none', '/api/v1/users/me/image', file) as Promise<Records['User']>;

/**
 * Events from a log, in the requested order. `nextCursor` continues the read, even from the current end of
 * the log.
 */
export interface LogPage {
  events: readonly Records['Event'][];
  nextCursor: string;
  /**
   * False at the end of the log, or at its beginning when reading backwards. A filtered page may be short
   * or empty even if there are more events.
   */
  hasMore: boolean;
}

/**
 * Reads a page of a server's log, newest first: from the end or `before` a cursor, all event types or only
 * some. Throws PalaverError.
 */
export async function readLog(
  serverId: string,
  { types, before = 'latest', signal }: { types?: string; before?: string; signal?: AbortSignal },
): Promise<LogPage> {
  const query = new URLSearchParams({ ...(types && { types }), limit: '100', before });
  const answer = await ask(serverId, `/api/v1/events?${query}`, { signal }, bodyOf);
  const { data, nextCursor = '', hasNext } = answer;
  return { events: data as Records['Event'][], nextCursor, hasMore: hasNext };
}
