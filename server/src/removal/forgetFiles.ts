import type { Db } from '../db/contract.ts';
import { Failures } from '../db/failures.ts';
import type { RowOf } from '../db/schema.ts';
import { find, q, remove } from '../db/statements.ts';
import type { Feed } from '../feed/feed.ts';
import type { Files } from '../files/files.ts';
import { fileKeys } from '../files/store.ts';
import type { Deps } from '../lib/deps.ts';
import type { StateLog } from '../lib/outage.ts';
import { system, transact, workIn } from '../operations/work.ts';
import { attachmentEvents, toAttachment } from '../resources/attached.ts';
import { consequences } from '../resources/consequences.ts';
import type { GoesOn } from './forget.ts';
import { tryEach } from './tryEach.ts';

/** Attachments that were not sent within this time, in ms, are deleted. */
const UNSENT_MS = 24 * 60 * 60_000;
/** Number of rows per batch. Small batches do not delay other reads and writes. */
const BATCH_ROWS = 50;

export interface FileUpkeep {
  db: Db;
  deps: Deps;
  feed: Pick<Feed, 'wake' | 'tell'>;
  files: Files;
  /** If omitted, nothing is logged. */
  log?: StateLog;
}

/** Deletes attachments that were not sent within a day. */
export async function forgetUnsent(upkeep: FileUpkeep, goesOn: GoesOn): Promise<void> {
  const { db, deps } = upkeep;
  const failures = new Failures(upkeep, 'files');
  const due = q
    .selectFrom('attachment')
    .selectAll()
    .where('messageId', 'is', null)
    .where('createdAt', '<=', deps.now() - UNSENT_MS)
    .where(failures.isDue('attachment.id'))
    .orderBy('createdAt')
    .orderBy('id')
    .limit(BATCH_ROWS);
  for (let more = true; more && (await goesOn()); ) {
    const rows = await db.read.all(due);
    const { isDown } = await tryEach(rows, failures, (row) => removeUnsent(upkeep, row));
    more = rows.length === BATCH_ROWS && !isDown;
  }
}

/** Deletes files that no attachment or picture uses anymore, unless a hold keeps them. */
export async function forgetFiles(upkeep: FileUpkeep, goesOn: GoesOn): Promise<void> {
  const { db, deps, files } = upkeep;
  const failures = new Failures(upkeep, 'files');
  const due = q
    .selectFrom('fileRemoval')
    .select('id')
    .where('dueAt', '<=', deps.now())
    .where(failures.isDue('fileRemoval.id'))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb.selectFrom('keptFile').select('keptFile.id').whereRef('keptFile.id', '=', 'fileRemoval.id'),
        ),
      ),
    )
    .orderBy('dueAt')
    .limit(BATCH_ROWS);
  for (let more = true; more && (await goesOn()); ) {
    const rows = await db.read.all(due);
    const { done, isDown } = await tryEach(rows, failures, ({ id }) => removeFiles(files, id));
    if (done.length > 0) await db.write((tx) => tx.run(q.deleteFrom('fileRemoval').where('id', 'in', done)));
    more = rows.length === BATCH_ROWS && !isDown;
  }
}

async function removeUnsent(
  { db, deps, feed }: FileUpkeep,
  { id, serverId }: RowOf<'attachment'>,
): Promise<void> {
  await transact(
    { db, deps, feed },
    async (tx, pending) => {
      const work = workIn(tx, { deps, consequences }, system, pending);
      // Reloads the row, because the attachment may have been sent in the meantime.
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
