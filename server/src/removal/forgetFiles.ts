import type { Db } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import { find, prepare, q, remove } from '../db/statements.ts';
import type { Feed } from '../feed/feed.ts';
import type { Files } from '../files/files.ts';
import { fileKeys } from '../files/store.ts';
import type { Deps } from '../lib/deps.ts';
import { transact, workIn } from '../operations/work.ts';
import { attachmentEvents, toAttachment } from '../resources/attached.ts';
import { consequences } from '../resources/consequences.ts';
import type { GoesOn } from './forget.ts';

/** Attachments not sent within this time, in ms, are deleted. */
const UNSENT_MS = 24 * 60 * 60_000;
/** Rows per batch of reads and writes, few enough not to delay others. */
const BATCH_ROWS = 50;

export interface FileUpkeep {
  db: Db;
  deps: Deps;
  feed: Pick<Feed, 'wake' | 'tell'>;
  files: Files;
}

const unsent = prepare((p: { until: number; rows: number }) =>
  q
    .selectFrom('attachment')
    .selectAll()
    .where('messageId', 'is', null)
    .where('createdAt', '<=', p.until)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(p.rows),
);

const due = prepare((p: { until: number; rows: number }) =>
  q.selectFrom('fileRemoval').select('id').where('dueAt', '<=', p.until).orderBy('dueAt').limit(p.rows),
);

/** Deletes attachments not sent within a day, then files without an attachment. */
export async function forgetFiles(upkeep: FileUpkeep, goesOn: GoesOn): Promise<void> {
  const { db, deps, files } = upkeep;
  const now = deps.now();
  for (let count = BATCH_ROWS; count === BATCH_ROWS && (await goesOn()); ) {
    const rows = await db.read.all(unsent({ until: now - UNSENT_MS, rows: BATCH_ROWS }));
    for (const row of rows) await removeUnsent(upkeep, row);
    count = rows.length;
  }
  for (let count = BATCH_ROWS; count === BATCH_ROWS && (await goesOn()); ) {
    const rows = await db.read.all(due({ until: now, rows: BATCH_ROWS }));
    for (const { id } of rows) await removeFiles(files, id);
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) await db.write((tx) => tx.run(q.deleteFrom('fileRemoval').where('id', 'in', ids)));
    count = rows.length;
  }
}

async function removeUnsent(
  { db, deps, feed }: FileUpkeep,
  { id, serverId }: RowOf<'attachment'>,
): Promise<void> {
  await transact(
    { db, deps, feed },
    async (tx, pending) => {
      const work = workIn(tx, { deps, consequences }, null, pending);
      // Reload: it may have been sent meanwhile.
      const row = await tx.first(find('attachment', { id }));
      if (row?.messageId !== null) return;
      await tx.run(remove('attachment', { id }));
      await work.emit(attachmentEvents.deleted, toAttachment(row));
    },
    serverId,
  );
}

async function removeFiles(files: Files, id: string): Promise<void> {
  const store = await files.store;
  for (const key of Object.values(fileKeys(id))) await store.remove(key);
  files.figures.removed++;
}
