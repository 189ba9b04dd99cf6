import type { Readable as ByteStream } from 'node:stream';
import type { TObject } from 'typebox';
import type { Caller } from '../access/authenticator.ts';
import { type Readable, requireVisible, type Visibility } from '../access/visibility.ts';
import type { Reader } from '../db/contract.ts';
import type { ByteRange } from '../files/store.ts';
import type { Kind } from '../limits/table.ts';
import { type Call, callOf } from './call.ts';
import { type Common, commonOf, type Described, type Input, type QueryOf } from './operation.ts';
import type { Services } from './services.ts';

/** Bytes, as a whole or as a stream, with their HTTP metadata (RFC 9110, 8). */
export interface Content {
  /** The media type, including any charset. */
  type: string;
  bytes: Uint8Array | string | ByteStream | ((range?: ByteRange) => Promise<ByteStream>);
  /**
   * The length in bytes, if known before the stream ends. If `bytes` is a function, clients may request
   * ranges.
   */
  length?: number;
  /** Identifies immutable bytes, for the `ETag`. */
  tag?: string;
  /** Additional HTTP headers. */
  headers?: Readonly<Record<string, string>>;
  /** The `Cache-Control` header. Defaults to `no-store`. */
  cacheControl?: string;
}

interface DownloadRow<Path extends string, Q extends TObject | undefined, T extends Readable>
  extends Common<Path> {
  tag: string;
  /** The rate limit. Defaults to `query`. */
  kind?: Kind;
  /** The concurrency limit, if there is one. */
  bound?: 'exports';
  /** The visibility rule that a caller must meet to read the target. */
  visible: Visibility;
  query?: Q;
  /** The media type, for the OpenAPI document. */
  type: string;
  /**
   * Set if the session cookie suffices without the header `Palaver-Server`, which browsers do not send when
   * they load the images of a page. Called before authentication. Returns the server in which the person then
   * acts; null if the requested file does not exist.
   */
  serverOf?(db: Reader, params: Record<string, string>): Promise<string | null>;
  /** Finds the target. Throws NOT_FOUND. */
  target(call: Call, input: Input<Path, QueryOf<Q>, undefined>): Promise<T> | T;
  /** Returns the bytes. Called once the caller is known to have access to the target. */
  run(call: Call, input: Input<Path, QueryOf<Q>, undefined>, target: T): Promise<Content>;
}

/** An operation that returns bytes instead of records. */
export interface DownloadOperation extends Described {
  does: 'download';
  type: string;
  // biome-ignore lint/suspicious/noExplicitAny: rows of all types are in one list
  row: DownloadRow<any, any, any>;
}

/** Creates a download from its row. */
export function download<Path extends string, Q extends TObject | undefined, T extends Readable>(
  row: DownloadRow<Path, Q, T>,
): DownloadOperation {
  const { tag, kind = 'query', query, type } = row;
  return { does: 'download', method: 'GET', ...commonOf(row), tag, kind, query, type, row };
}

/**
 * Runs a download with valid input. Throws NOT_FOUND if its target does not exist, and FORBIDDEN if the
 * caller may not read it.
 */
export async function performDownload(
  services: Services,
  { row, open }: DownloadOperation,
  caller: Caller | undefined,
  params: Record<string, string>,
  query: Record<string, unknown>,
): Promise<Content> {
  const call = callOf(services, caller, services.db.read);
  const input = { params, query, body: undefined, after: undefined };
  const target = await row.target(call, input);
  if (!open) requireVisible(call.principal, row.visible, target);
  return row.run(call, input, target);
}
