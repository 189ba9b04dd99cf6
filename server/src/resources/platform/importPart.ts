import { rm } from 'node:fs/promises';
import type { RowOf } from '../../db/schema.ts';
import { insert } from '../../db/statements.ts';
import { ApiError, invalid, problem } from '../../errors.ts';
import type { Services } from '../../operations/services.ts';

/** Age in ms at which a stored part without a row is deleted. */
const UNCLAIMED_MS = 24 * 60 * 60_000;

/** A part in the file store. */
export interface Part {
  id: string;
  bytes: number;
  sha256: string;
}

/** Stores a part, which is deleted later unless a row claims it. */
export async function storePart({ db, deps, files }: Services, bytes: NodeJS.ReadableStream): Promise<Part> {
  const arrived = await files.incoming.take(bytes as never);
  try {
    const id = deps.newId();
    const dueAt = deps.now() + UNCLAIMED_MS;
    await db.write((tx) => tx.run(insert('fileRemoval', { id, dueAt })));
    await (await files.store).put(id, arrived.path, arrived.bytes);
    return { id, bytes: arrived.bytes, sha256: arrived.sha256 };
  } finally {
    await rm(arrived.path, { force: true });
  }
}

/** Parses the offset at which a part begins. Throws INVALID_REQUEST. */
export function offsetOf(given: string): number {
  if (!/^\d{1,15}$/.test(given)) throw invalid('wrong_form', 'offset', 'must be a number of bytes');
  return Number(given);
}

/** Throws INVALID_REQUEST unless the part continues the archive. */
export function requireContinues(found: RowOf<'import'>, offset: number): void {
  if (found.state !== 'uploading') throw invalid('wrong_kind', 'id', 'already has an archive');
  if (offset === found.received) return;
  const message = `the archive continues at ${found.received}`;
  throw new ApiError('INVALID_REQUEST', `offset: ${message}`, [
    { ...problem('wrong_offset', 'offset', message), offset: found.received },
  ]);
}
