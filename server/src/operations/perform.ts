import type { Caller } from '../access/authenticator.ts';
import type { ActOperation } from './act.ts';
import type { DownloadOperation } from './download.ts';
import type { FollowOperation } from './follow.ts';
import type { Answer, RawInput } from './operation.ts';
import { performRead, type ReadOperation } from './read.ts';
import type { Services } from './services.ts';
import type { UploadOperation } from './upload.ts';
import { validInput } from './validation.ts';
import { type Performing, performWrite, type WriteOperation } from './write.ts';

/** Any of Palaver's operations. The method and the path are its only HTTP details. */
export type Operation =
  | ReadOperation
  | WriteOperation
  | ActOperation
  | FollowOperation
  | UploadOperation
  | DownloadOperation;

/**
 * Performs an operation that returns records, for an admitted caller (see `admission.ts`): validates the
 * input, finds the target, authorizes the caller and runs the operation. With `performing.within`, the
 * operation becomes a step of a running write. Throws ApiError.
 */
export function perform(
  services: Services,
  operation: ReadOperation | WriteOperation,
  caller: Caller | undefined,
  raw: RawInput,
  performing: Performing = {},
): Promise<Answer> {
  // This function is not `async`, because that would take three more microtasks.
  try {
    const input = validInput(operation, raw);
    if (operation.does === 'write') return performWrite(services, operation, caller, input, performing);
    return performRead(services, operation, caller, input.params, input.query);
  } catch (error) {
    return Promise.reject(error);
  }
}
