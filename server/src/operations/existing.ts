import type { Caller } from '../access/authenticator.ts';
import { type Readable, type Visibility, visibility } from '../access/visibility.ts';
import type { Reader, UniqueViolation } from '../db/contract.ts';
import { ApiError } from '../errors.ts';
import { type Call, callOf } from './call.ts';
import { conflicts } from './conflicts.ts';
import type { Services } from './services.ts';

/** A record that conflicts with a write, with its read permission. */
export interface Existing extends Readable {
  id: string;
  visible: Visibility;
  /** Replaces the unique index's error message. The error's details are then a list with this record. */
  message?: string;
}

/**
 * Converts a unique violation to ALREADY_EXISTS. The details contain the existing record's id if `find` finds
 * it and the caller may read it. `find` may throw NOT_FOUND. If `conflicts` has no message for the violation,
 * returns the violation itself, because no request should cause it.
 */
export async function alreadyExists(
  services: Services,
  caller: Caller | undefined,
  db: Reader,
  violation: UniqueViolation,
  find: ((call: Call) => Promise<Existing | undefined>) | undefined,
): Promise<Error> {
  const message = conflicts[violation.index];
  if (message === undefined) return violation;
  if (!caller || !find) return new ApiError('ALREADY_EXISTS', message);
  const found = await find(callOf(services, caller, db)).catch((error) => {
    if (error instanceof ApiError) return undefined;
    throw error;
  });
  const isSeen = found !== undefined && visibility[found.visible].holds(caller.principal, found);
  if (!isSeen) return new ApiError('ALREADY_EXISTS', message);
  const { id } = found;
  return found.message === undefined
    ? new ApiError('ALREADY_EXISTS', message, { id })
    : new ApiError('ALREADY_EXISTS', found.message, [{ id }]);
}
