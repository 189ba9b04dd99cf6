import type { Caller } from '../access/authenticator.ts';
import { tenantOf } from '../access/authenticator.ts';
import { type Readable, type Visibility, visibility } from '../access/visibility.ts';
import type { UniqueViolation } from '../db/contract.ts';
import { ApiError } from '../errors.ts';
import { type Call, callOf } from './call.ts';
import { conflicts } from './conflicts.ts';
import type { Services } from './services.ts';

/** A record that is in the way of a write, with its read permission. */
export interface Existing extends Readable {
  id: string;
  visible: Visibility;
}

/**
 * ALREADY_EXISTS for a refused row, whose details name the record that is there: only if the caller may read it, and if it is
 * still there. `find` may throw NOT_FOUND. Returns the violation itself if no request should meet it.
 */
export async function alreadyExists(
  services: Services,
  caller: Caller,
  violation: UniqueViolation,
  find: (call: Call) => Promise<Existing | undefined>,
): Promise<Error> {
  const message = conflicts[violation.index];
  if (message === undefined) return violation;
  const call = callOf(services, caller, services.db.readFor(tenantOf(caller)));
  const found = await find(call).catch((error) => {
    if (error instanceof ApiError) return undefined;
    throw error;
  });
  const isSeen = found !== undefined && visibility[found.visible].holds(caller.principal, found);
  return new ApiError('ALREADY_EXISTS', message, isSeen ? { id: found.id } : undefined);
}
