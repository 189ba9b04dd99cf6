import type { Readable as ByteStream } from 'node:stream';
import type { TObject } from 'typebox';
import type { Caller } from '../access/authenticator.ts';
import type { Target } from '../access/predicates.ts';
import { authorize } from '../access/rules.ts';
import { type Call, callOf, type WriteCall } from './call.ts';
import {
  type Answer,
  type BodyOf,
  commonOf,
  type Described,
  type Input,
  type RawInput,
} from './operation.ts';
import type { Services } from './services.ts';
import { type Performing, performWrite, type WriteRow, write } from './write.ts';

/** The bytes of a request's body, or of the file in a form. */
export interface Incoming {
  bytes: ByteStream;
  /** The media type that the client claims. `receive` has to verify it. */
  type: string;
  /** The file name from the client, if any. It is only for display: never use it as a path. */
  name: string | undefined;
}

interface UploadRow<
  Path extends string,
  B extends TObject | undefined,
  T extends Target,
  R extends { id: string },
  K,
> extends Omit<WriteRow<Path, B, T, R>, 'run' | 'method' | 'target'> {
  /** The accepted media types. With `multipart/form-data`, a form with one file is accepted. */
  takes: readonly string[];
  /** Maximum file size in bytes. Defaults to the setting. */
  maxBytes?: number;
  /**
   * Finds the target of the write. Called before the bytes are read, and again in the transaction. Throws
   * NOT_FOUND.
   */
  target(call: Call, input: Input<Path, unknown, BodyOf<B>>): Promise<T>;
  /**
   * Stores the bytes, outside of any transaction. If the bytes are not valid, throws INVALID_REQUEST and
   * stores nothing.
   */
  receive(call: Call, incoming: Incoming, target: T, services: Services): Promise<K>;
  /**
   * Returns a text that is the same for identical bytes. Reusing an `Idempotency-Key` with different bytes
   * causes INVALID_REQUEST.
   */
  fingerprint?(received: K): string;
  /** Makes the change in the transaction. */
  run(call: WriteCall, input: Input<Path, unknown, BodyOf<B>>, target: T, received: K): Promise<R>;
  /**
   * Deletes the stored bytes after the transaction failed, or after a stored response was returned instead.
   */
  discard(received: K, services: Services): Promise<void>;
}

/** An operation that accepts bytes and returns a record. */
export interface UploadOperation extends Described {
  does: 'upload';
  method: 'POST';
  // biome-ignore lint/suspicious/noExplicitAny: rows of all types are in one list
  row: UploadRow<any, any, any, any, any>;
}

/** Creates an upload from its row. */
export function upload<
  Path extends string,
  B extends TObject | undefined,
  T extends Target,
  R extends { id: string },
  K,
>(row: UploadRow<Path, B, T, R, K>): UploadOperation {
  const { resource, body } = row;
  return { does: 'upload', method: 'POST', ...commonOf(row), tag: resource, kind: resource, body, row };
}

/**
 * Runs an upload. Finds the target and authorizes the caller before it reads the bytes, so that clients do
 * not send a large file needlessly. Then stores the bytes and performs the write, which finds the target and
 * authorizes the caller again. If the write fails, deletes the bytes.
 */
export async function performUpload(
  services: Services,
  { row }: UploadOperation,
  caller: Caller | undefined,
  { params = {}, query = {}, body = {} }: RawInput,
  incoming: Incoming,
  performing: Performing,
): Promise<Answer> {
  const input = { params, query, body, after: undefined };
  const call = callOf(services, caller, services.db.read);
  const target = await row.target(call, input);
  if (!row.open) authorize(call.principal, row.resource, row.verb, target);
  const received = await row.receive(call, incoming, target, services);
  try {
    const stored = write({
      ...row,
      method: 'POST',
      run: (call, input, target) => row.run(call, input, target, received),
    });
    const file = row.fingerprint?.(received);
    const whole = file === undefined ? body : { ...(body as object), file };
    const answer = await performWrite(services, stored, caller, { params, query, body: whole }, performing);
    // If this is a stored response, it refers to the bytes of the first request.
    if (answer.isReplayed) await row.discard(received, services);
    return answer;
  } catch (error) {
    await row.discard(received, services);
    throw error;
  }
}
