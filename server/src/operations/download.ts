import type { Readable as ByteStream } from 'node:stream';
import type { TObject } from 'typebox';
import type { Caller } from '../access/authenticator.ts';
import { type Readable, requireVisible, type Visibility } from '../access/visibility.ts';
import type { Reader } from '../db/contract.ts';
import type { ByteRange } from '../files/store.ts';
import type { Kind } from '../limits/table.ts';
import { type Call, callOf } from './call.ts';
import type { Common, Described, Input, QueryOf } from './operation.ts';
import type { Services } from './services.ts';

/** Bytes, at once or as a stream, and their description for HTTP (RFC 9110, 8). */
export interface Content {
  /** The media type, with its charset if it has one. */
  type: string;
  bytes: Uint8Array | string | ByteStream | ((range?: ByteRange) => Promise<ByteStream>);
  /** The length in bytes, if it is known before the stream ends. With a function, a client may ask for a part. */
  length?: number;
  /** Identifies bytes that never change, for `ETag`. */
  tag?: string;
  /** Further headers. */
  headers?: Readonly<Record<string, string>>;
  /** The header `Cache-Control`. `no-store` if left out. */
  cacheControl?: string;
}

interface DownloadRow<Path extends string, Q extends TObject | undefined, T extends Readable>
  extends Common<Path> {
  tag: string;
  /** The limit against which calls count; `query` if left out. */
  kind?: Kind;
  /** Set if few may run at once: the bound of those that do. */
  bound?: 'exports';
  /** The read permission of the target. */
  visible: Visibility;
  query?: Q;
  /** The media type, for the documents. */
  type: string;
  /**
   * Set if the cookie of a session counts without the header that names its server, as images in a page send it: the server in
   * which the person then acts. Called before they are known; null for a thing that is not there.
   */
  serverOf?(db: Reader, params: Record<string, string>): Promise<string | null>;
  /** Finds the target. Throws NOT_FOUND. */
  target(call: Call, input: Input<Path, QueryOf<Q>, undefined>): Promise<T> | T;
  /** The bytes. Called once the caller may read the target. */
  run(call: Call, input: Input<Path, QueryOf<Q>, undefined>, target: T): Promise<Content>;
}

/** An operation that answers with bytes instead of records. */
export interface DownloadOperation extends Described {
  does: 'download';
  type: string;
  // biome-ignore lint/suspicious/noExplicitAny: rows of all types stand in one list
  row: DownloadRow<any, any, any>;
}

/** Makes the row of a download. */
export function download<Path extends string, Q extends TObject | undefined, T extends Readable>(
  row: DownloadRow<Path, Q, T>,
): DownloadOperation {
  const {
    operation,
    path,
    tag,
    summary,
    description,
    open,
    people,
    deprecated,
    query,
    type,
    kind = 'query',
  } = row;
  const described = { operation, path, tag, summary, description, open, people, deprecated, query, type };
  return { does: 'download', method: 'GET', kind, ...described, row };
}

/** Loads (404), authorizes (403) and runs a download whose input is valid. */
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
