import { PalaverError } from '../../client/src/index.ts';
import { endSession } from './endings.ts';
import type { Records } from './records.ts';
import { loadRefusals } from './refusals/index.ts';

interface Body {
  ok?: boolean;
  data?: unknown;
  nextCursor?: string;
  error?: Records['Error']['error'];
  /** Whether the header `Link` leads to a next page. */
  hasNext: boolean;
}

/** Asks for what the generated client has no method for: forms with files, and pages of the log. Throws PalaverError. */
async function ask(place: string, path: string, init: RequestInit = {}): Promise<Body> {
  let response: Response;
  let body: Body;
  try {
    response = await fetch(path, { ...init, headers: { ...init.headers, 'Palaver-Server': place } });
    const hasNext = /rel="?next/.test(response.headers.get('link') ?? '');
    body = { ...((await response.json()) as Omit<Body, 'hasNext'>), hasNext };
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw new PalaverError({ code: 'NO_ANSWER', status: 0, message: 'the server did not answer', cause });
  }
  if (body.ok) return body;
  const { status, headers } = response;
  if (status === 401) endSession();
  await loadRefusals();
  const error = body.error ?? {
    code: 'NO_ANSWER',
    message: `what answered, with status ${status}, was not Palaver`,
  };
  throw new PalaverError({
    ...(error as Records['Error']['error']),
    status,
    retryAfter: Number(headers.get('retry-after')) || undefined,
  });
}

async function upload(place: string, path: string, file: File): Promise<unknown> {
  const body = new FormData();
  body.append('file', file);
  return (await ask(place, path, { method: 'POST', body })).data;
}

/** Uploads a picture of a server: `what` is `icon` or `banner`. Throws PalaverError. */
export const uploadPicture = (
  serverId: string,
  what: 'icon' | 'banner',
  file: File,
): Promise<Records['Server']> =>
  upload(serverId, `/api/v1/servers/${encodeURIComponent(serverId)}/${what}`, file) as Promise<
    Records['Server']
  >;

/** Uploads one's own picture. Throws PalaverError. */
export const uploadOwnPicture = (file: File): Promise<Records['User']> =>
  upload('none', '/api/v1/users/me/image', file) as Promise<Records['User']>;

/** Events of a log, in the order in which they were asked for. `nextCursor` leads on, also from the end of the log as it is now. */
export interface LogPage {
  events: readonly Records['Event'][];
  nextCursor: string;
  /** False at the end of the log, or at its beginning. A page with a filter may be short, or empty, although there are more. */
  hasMore: boolean;
}

/** Reads a page of the log of a server, of some types or all, newest first, from its end on, or `before` a cursor. Throws PalaverError. */
export async function readLog(
  serverId: string,
  { types, before = 'latest', signal }: { types?: string; before?: string; signal?: AbortSignal },
): Promise<LogPage> {
  const query = new URLSearchParams({ ...(types && { types }), limit: '100', before });
  const { data, nextCursor = '', hasNext } = await ask(serverId, `/api/v1/events?${query}`, { signal });
  return { events: data as Records['Event'][], nextCursor, hasMore: hasNext };
}
