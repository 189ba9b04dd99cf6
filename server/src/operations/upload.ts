import type { Readable as ByteStream } from 'node:stream';
import type { TObject } from 'typebox';
import type { Caller } from '../access/authenticator.ts';
import type { Target } from '../access/predicates.ts';
import { authorize } from '../access/rules.ts';
import { type Call, callOf, type WriteCall } from './call.ts';
import type { Answer, BodyOf, Described, Input, RawInput } from './operation.ts';
import type { Services } from './services.ts';
import { type Performing, performWrite, type WriteRow, write } from './write.ts';

/** Bytes on their way in: of a request's body, or of one file of a form. */
export interface Incoming {
  bytes: ByteStream;
  /** The media type that the sender gives; whether it is true is for `receive` to find out. */
  type: string;
  /** The file name that the sender gives, if any: text for people, never a path. */
  name: string | undefined;
}

interface UploadRow<
  Path extends string,
  B extends TObject | undefined,
  T extends Target,
  R extends { id: string },
  K,
> extends Omit<WriteRow<Path, B, T, R>, 'run' | 'method' | 'target'> {
  /** Media types that are taken, for the documents; `multipart/form-data` among them takes forms with one file. */
  takes: readonly string[];
  /** The most bytes that are taken. */
  maxBytes: number;
  /** Finds the target of the write; asked before the bytes are taken, and again in the transaction. Throws NOT_FOUND. */
  target(call: Call, input: Input<Path, unknown, BodyOf<B>>): Promise<T>;
  /** Stores the bytes, outside of any transaction. Throws INVALID_REQUEST for bytes that it does not take, and leaves nothing then. */
  receive(call: Call, incoming: Incoming, target: T): Promise<K>;
  /** Makes the change in the transaction. */
  run(call: WriteCall, input: Input<Path, unknown, BodyOf<B>>, target: T, received: K): Promise<R>;
  /** Removes stored bytes whose change was not made. */
  discard(received: K): Promise<void>;
}

/** An operation that takes bytes, and answers with a record. */
export interface UploadOperation extends Described {
  does: 'upload';
  method: 'POST';
  // biome-ignore lint/suspicious/noExplicitAny: rows of all types stand in one list
  row: UploadRow<any, any, any, any, any>;
}

/** Makes a row that takes bytes. */
export function upload<
  Path extends string,
  B extends TObject | undefined,
  T extends Target,
  R extends { id: string },
  K,
>(row: UploadRow<Path, B, T, R, K>): UploadOperation {
  const { operation, path, resource, summary, description, open, body } = row;
  const described = { operation, path, summary, description, open, body };
  return { does: 'upload', method: 'POST', tag: resource, kind: resource, ...described, row };
}

/**
 * Load and authorize, so that nobody sends a large file only to be refused; then take the bytes; then the write, which loads and
 * authorizes again. Whatever fails leaves no bytes behind.
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
  const received = await row.receive(call, incoming, target);
  try {
    const stored = write({
      ...row,
      method: 'POST',
      run: (call, input, target) => row.run(call, input, target, received),
    });
    const answer = await performWrite(services, stored, caller, { params, query, body }, performing);
    // The first answer to a repeated request speaks of the bytes that came then.
    if (answer.isReplayed) await row.discard(received);
    return answer;
  } catch (error) {
    await row.discard(received);
    throw error;
  }
}
