import type { CallOptions, Calls, Records } from './calls.ts';
import { errorOf, noAnswer } from './error.ts';
import { parsed } from './json.ts';
import { attemptsFor, type Persistence, persistentFetch } from './persistence.ts';
import type { Surroundings } from './waiting.ts';

/** A range of bytes, inclusive, as in the `Range` header. Without `to`, it extends to the end. */
export interface ByteRange {
  from: number;
  to?: number;
}

/** The fields of a message with files. */
export type MessageWithFiles = Omit<NonNullable<Parameters<Calls['messageSend']>[0]>, 'attachmentIds'> & {
  /** At most ten. To name a `Blob`, pass `new File([blob], name)`. */
  files: readonly Blob[];
};

/** The calls that send or return bytes. */
export interface FileCalls {
  /**
   * Uploads a file. It is deleted after a day, unless `messageSend` sends it with `attachmentIds`. `name`
   * defaults to that of a `File`. Throws PalaverError.
   */
  attachmentInsert(
    input: { file: Blob; name?: string },
    options?: CallOptions,
  ): Promise<Records['Attachment']>;
  /**
   * Downloads a file, or a smaller preview of an image. The response's body is a stream, which must be read
   * or cancelled. Throws PalaverError.
   */
  attachmentContent(
    input: { attachmentId: string; preview?: 'small' | 'large'; range?: ByteRange },
    options?: Pick<CallOptions, 'signal'>,
  ): Promise<Response>;
  /**
   * Uploads files one after another, and sends them in one message. Retrying with the same `idempotencyKey`
   * does not send the message again. Throws PalaverError.
   */
  messageSendWithFiles(input: MessageWithFiles, options?: CallOptions): Promise<Records['Message']>;
}

interface Way {
  baseUrl: string;
  headers: Record<string, string>;
  rules: Persistence;
  around: Surroundings;
  messageSend: Calls['messageSend'];
  received?: ((answer: object) => void) | undefined;
}

/** Creates the calls that send or return bytes. */
export function filesOver({ baseUrl, headers, rules, around, messageSend, received }: Way): FileCalls {
  // Sets no timeout, because the server aborts uploads that are too slow.
  const upload = persistentFetch({ ...rules, timeout: 0 }, around);
  const download = persistentFetch(rules, around, true);

  const attachmentInsert: FileCalls['attachmentInsert'] = async ({ file, name }, options = {}) => {
    const body = new FormData();
    body.append('file', file, name ?? (file instanceof File ? file.name : 'file'));
    const { signal, idempotencyKey } = options;
    const key: Record<string, string> =
      idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey };
    const url = `${baseUrl}/api/v1/attachments`;
    const init = { method: 'POST', headers: { ...headers, ...key }, body, ...(signal && { signal }) };
    const response = await upload(new Request(url, init));
    const attempts = attemptsFor(response);
    const answer = parsed(await response.text()) as { ok?: unknown; data: Records['Attachment'] } | undefined;
    if (!response.ok) throw errorOf(response, answer, attempts);
    if (answer?.ok !== true)
      throw noAnswer('the response is not from Palaver', { status: response.status, attempts });
    received?.(answer);
    return answer.data;
  };

  return {
    attachmentInsert,

    async attachmentContent({ attachmentId, preview, range }, { signal } = {}) {
      if (/^\.{0,2}$/.test(attachmentId))
        throw new TypeError('attachmentContent: attachmentId must be an identifier');
      const query = preview === undefined ? '' : `?preview=${preview}`;
      const url = `${baseUrl}/api/v1/attachments/${encodeURIComponent(attachmentId)}/content${query}`;
      const ranged: Record<string, string> =
        range === undefined ? {} : { Range: `bytes=${range.from}-${range.to ?? ''}` };
      const response = await download(
        new Request(url, { headers: { ...headers, ...ranged }, ...(signal && { signal }) }),
      );
      if (!response.ok) throw errorOf(response, parsed(await response.text()), attemptsFor(response));
      return response;
    },

    async messageSendWithFiles({ files, ...fields }, options = {}) {
      const { idempotencyKey: key } = options;
      const attachmentIds: string[] = [];
      for (const [index, file] of files.entries()) {
        const ofFile = key === undefined ? {} : { idempotencyKey: `${key} file ${index}` };
        attachmentIds.push((await attachmentInsert({ file }, { ...options, ...ofFile })).id);
      }
      return messageSend({ ...fields, attachmentIds }, options);
    },
  };
}
