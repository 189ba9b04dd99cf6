import type { Caller } from '../access/authenticator.ts';
import type { DownloadOperation } from './download.ts';
import type { FollowOperation } from './follow.ts';
import type { Answer, RawInput } from './operation.ts';
import { performRead, type ReadOperation } from './read.ts';
import type { Services } from './services.ts';
import type { UploadOperation } from './upload.ts';
import { validInput } from './validation.ts';
import { type Performing, performWrite, type WriteOperation } from './write.ts';

/** Anything that can be asked of Palaver: a row, and nothing of HTTP beside its method and path. */
export type Operation =
  | ReadOperation
  | WriteOperation
  | FollowOperation
  | UploadOperation
  | DownloadOperation;

/**
 * Runs an operation that answers with records, for a caller who was admitted (see `admission.ts`): validate (400), load (404),
 * authorize (403), run (409). HTTP is one of those who call it; with `within` it is part of a write that is under way. Throws
 * `ApiError`, or `UniqueViolation` where a thing exists already.
 */
export async function perform(
  services: Services,
  operation: ReadOperation | WriteOperation,
  caller: Caller | undefined,
  raw: RawInput,
  performing: Performing = {},
): Promise<Answer> {
  const input = validInput(operation, raw);
  if (operation.does === 'write') return performWrite(services, operation, caller, input, performing);
  return performRead(services, operation, caller, input.params, input.query);
}
