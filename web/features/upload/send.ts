import { base } from '../../api/base.ts';
import { loadRefusals, PalaverError, type Records } from '../../api/index.ts';

/** An upload in progress. */
export interface Sending {
  /** Resolves with the attachment. Rejects with PalaverError; with NO_ANSWER also after `cancel`. */
  done: Promise<Records['Attachment']>;
  cancel(): void;
}

const noAnswer = (message: string, status = 0) => new PalaverError({ code: 'NO_ANSWER', status, message });

/**
 * The error in a response. NO_ANSWER with the response's status if the response is from a proxy instead of
 * Palaver.
 */
function errorOf(request: XMLHttpRequest): PalaverError {
  const { status, response } = request;
  const error = (response as { error?: { code?: unknown } } | null)?.error;
  if (typeof error?.code !== 'string') return noAnswer(`status ${status}`, status);
  const facts = error as Pick<PalaverError, 'code' | 'message' | 'details'>;
  const retryAfter = Number(request.getResponseHeader('retry-after')) || undefined;
  return new PalaverError({ ...facts, status, ...(retryAfter !== undefined && { retryAfter }) });
}

/**
 * Uploads a file to a server. Uses XMLHttpRequest, because the generated client has no calls for bytes and
 * `fetch` reports no progress. `onProgress` gets the fraction sent, from 0 to 1. `key` makes retries
 * idempotent.
 */
export function sendFile(
  serverId: string,
  file: File,
  { key, onProgress }: { key: string; onProgress: (share: number) => void },
): Sending {
  const request = new XMLHttpRequest();
  const done = new Promise<Records['Attachment']>((resolve, reject) => {
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      if (request.status === 200) resolve((request.response as { data: Records['Attachment'] }).data);
      else void loadRefusals().then(() => reject(errorOf(request)));
    };
    request.onerror = () => reject(noAnswer('no connection'));
    request.onabort = () => reject(noAnswer('cancelled'));
  });
  request.open('POST', `${base}/api/v1/attachments`);
  request.responseType = 'json';
  request.setRequestHeader('Palaver-Server', serverId);
  request.setRequestHeader('Idempotency-Key', key);
  const form = new FormData();
  form.append('file', file, file.name || 'file');
  request.send(form);
  return { done, cancel: () => request.abort() };
}
