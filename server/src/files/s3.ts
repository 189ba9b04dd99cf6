import { openAsBlob } from 'node:fs';
import { Readable } from 'node:stream';
import type { AwsClient } from 'aws4fetch';
import { fileDigest } from '../lib/fileDigest.ts';
import { late } from '../lib/late.ts';
import { type ByteRange, type FileStore, NotStored, StoreError, StoreFull } from './store.ts';

/**
 * Timeout in ms until the service starts to respond. For an upload, the time to send the file at the minimum
 * speed below is added.
 */
const ANSWER_MS = 15_000;
const LEAST_BYTES_A_MS = 20;
/** Maximum retries if the service responds that it is busy. */
const RETRIES = 2;

/** A bucket in a service with the Amazon S3 API. */
export interface Bucket {
  /** The URL of the bucket without a trailing slash, optionally with a path that prefixes all keys. */
  url: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** Creates a client that signs requests (AWS Signature Version 4). */
export async function clientOf({
  region,
  accessKeyId,
  secretAccessKey,
}: Omit<Bucket, 'url'>): Promise<AwsClient> {
  const { AwsClient } = await import('aws4fetch');
  return new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: RETRIES });
}

/** Stores files in a bucket. */
export class S3Store implements FileStore {
  readonly name: string;
  readonly #url: string;
  readonly #client: () => Promise<AwsClient>;

  constructor(bucket: Bucket) {
    this.name = bucket.url;
    this.#url = bucket.url;
    this.#client = late(() => clientOf(bucket));
  }

  async put(key: string, path: string, bytes: number): Promise<void> {
    const body = await openAsBlob(path);
    // The service verifies the body against this hash.
    const headers = {
      'x-amz-content-sha256': await fileDigest(path),
      'content-type': 'application/octet-stream',
    };
    const answer = await this.#ask('PUT', key, { headers, body }, ANSWER_MS + bytes / LEAST_BYTES_A_MS);
    await answer.body?.cancel();
    if (!answer.ok) throw refused('PUT', answer);
  }

  async open(key: string, range?: ByteRange): Promise<Readable> {
    const headers = range && { range: `bytes=${range.first}-${range.last}` };
    const answer = await this.#ask('GET', key, { ...(headers && { headers }) });
    if (answer.status === (range ? 206 : 200) && answer.body) return Readable.fromWeb(answer.body as never);
    await answer.body?.cancel();
    throw refused('GET', answer);
  }

  async sizeOf(key: string): Promise<number | undefined> {
    const answer = await this.#ask('HEAD', key, {});
    await answer.body?.cancel();
    if (answer.status === 404) return undefined;
    if (!answer.ok) throw refused('HEAD', answer);
    const length = answer.headers.get('content-length') ?? '';
    if (!/^\d{1,15}$/.test(length))
      throw new StoreError('the bucket returned no Content-Length for a HEAD request');
    return Number(length);
  }

  async remove(key: string): Promise<void> {
    const answer = await this.#ask('DELETE', key, {});
    await answer.body?.cancel();
    if (!answer.ok && answer.status !== 404) throw refused('DELETE', answer);
  }

  async #ask(method: string, key: string, request: RequestInit, ms = ANSWER_MS): Promise<Response> {
    const client = await this.#client();
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), ms);
    try {
      return await client.fetch(`${this.#url}/${key}`, {
        method,
        ...request,
        // Redirects are not followed: they could lead to any address in this network, and the response would
        // be served as a file.
        redirect: 'manual',
        signal: abort.signal,
      });
    } catch (error) {
      const { cause, message } = error as { cause?: { message?: string }; message: string };
      throw new StoreError(`${this.name} cannot be reached: ${cause?.message || message}`);
    } finally {
      clearTimeout(timer);
    }
  }
}

function refused(method: string, { status }: Response): StoreError {
  if (status === 404) return new NotStored('there is no such file');
  // Insufficient Storage (RFC 4918, 11.5).
  if (status === 507) return new StoreFull('the bucket is full');
  return new StoreError(`the bucket returned ${status} for a ${method}`);
}
