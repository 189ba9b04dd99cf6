import { removeTimer, setTimer } from '../clock/timers.ts';
import type { Reader } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import { insert, q, update } from '../db/statements.ts';
import { EXPORT_MS } from '../db/tables/export.ts';
import { invalid, notFound } from '../errors.ts';
import { count, nullable, oneOf, record, size, time } from '../operations/fields.ts';
import type { Work } from '../operations/work.ts';
import { load, recordOf, touched } from './common.ts';

/** Maximum exports that a person can start per day, including deleted ones. */
export const MAX_DAILY_EXPORTS = 3;
const DAY_MS = 24 * 60 * 60_000;

export const personExport = record('PersonExport', {
  state: oneOf(['running', 'done', 'failed'], '`done` once its content can be downloaded'),
  messages: count('Number of messages exported so far'),
  bytes: nullable(size('The size of the archive; null until it is complete')),
  failure: nullable(
    oneOf(['too_large', 'too_late'], 'Why the export failed: it was too large, or took more than a day'),
  ),
  expiresAt: time('When the export is deleted'),
});
const toRecord = recordOf(personExport);
export const toPersonExport = (row: RowOf<'personExport'>) =>
  toRecord({ ...row, expiresAt: row.createdAt + EXPORT_MS });

/** Selects the exports in a person's list. */
export const exportsOf = (userId: string, now: number) =>
  q
    .selectFrom('personExport')
    .selectAll()
    .where('userId', '=', userId)
    .where('state', '!=', 'deleted')
    .where('createdAt', '>', now - EXPORT_MS);

/** Finds a person's own export. Throws NOT_FOUND. */
export async function loadPersonExport(
  { db, now }: { db: Reader; now: number },
  userId: string,
  id: string,
): Promise<RowOf<'personExport'>> {
  const found = await load(db, 'personExport', id);
  if (found.userId !== userId || found.state === 'deleted' || found.createdAt <= now - EXPORT_MS)
    throw notFound('export');
  return found;
}

/** Starts an export of a person's data. Throws INVALID_REQUEST. */
export async function startPersonExport({ db, newRow, now }: Work, userId: string) {
  const recent = await db.all(
    q
      .selectFrom('personExport')
      .select('state')
      .where('userId', '=', userId)
      .where('createdAt', '>', now - DAY_MS),
  );
  if (recent.some(({ state }) => state === 'running'))
    throw invalid('too_many', '', 'an export of your data is in progress');
  if (recent.length >= MAX_DAILY_EXPORTS)
    throw invalid('too_many', '', `you can start ${MAX_DAILY_EXPORTS} exports of your data per day`);
  const row = { ...newRow(), userId, state: 'running' as const, messages: 0, bytes: null, failure: null };
  await db.run(insert('personExport', row));
  await setTimer(db, { id: row.id, kind: 'personExport', serverId: null, dueAt: now, now });
  return toPersonExport(row);
}

/** Deletes an export with its archive. Stops it if it is running. */
export async function deletePersonExport({ db, now }: Work, found: RowOf<'personExport'>) {
  await removeTimer(db, found.id);
  await db.run(update('personExport', found.id, { state: 'deleted', updatedAt: touched(found, now) }));
  const removal = { id: found.id, dueAt: 0 };
  await db.run(
    q
      .insertInto('fileRemoval')
      .values(removal)
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ dueAt: 0 })),
  );
  return toPersonExport(found);
}
