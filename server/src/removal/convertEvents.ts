import { type SqlBool, sql } from 'kysely';
import type { Db, Tx } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import { find, prepare, q, remove } from '../db/statements.ts';
import { contentNounOf, type Json, versionOf, withoutContent } from '../feed/contentRefs.ts';
import { type Deps, FIRST_ID } from '../lib/deps.ts';
import type { GoesOn } from './forget.ts';

/** Number of events to convert per write. */
const BATCH_EVENTS = 100;

/**
 * The condition of the partial index `event_inline`, written exactly as in the migration, so that both
 * engines use the index.
 */
const isInline = sql<SqlBool>`"contentOf" is null and type in ('message.created', 'message.updated', 'message.deleted',
    'attachment.created', 'attachment.updated', 'attachment.deleted', 'thread.created', 'thread.updated', 'thread.deleted')`;

const nextInline = prepare(() =>
  q.selectFrom('event').select('logId').where(isInline).orderBy('logId').orderBy('seq').limit(sql.lit(1)),
);

const inlineOf = prepare((p: { logId: string }) =>
  q
    .selectFrom('event')
    .select(['logId', 'seq', 'type', 'actorId', 'data'])
    .where(isInline)
    .where('logId', '=', p.logId)
    .orderBy('seq')
    .limit(sql.lit(BATCH_EVENTS)),
);

type Inline = Pick<RowOf<'event'>, 'logId' | 'seq' | 'type' | 'actorId' | 'data'>;

/**
 * Converts events that still contain message content, because they were written before versions existed or by
 * nodes of the previous version. The converted events reference the content, and the earlier contents of
 * edited messages become versions. Runs in small writes. Does nothing while nodes of the previous version may
 * still read the log.
 */
export async function convertEvents({ db, deps }: { db: Db; deps: Deps }, goesOn: GoesOn): Promise<void> {
  while (!db.hasOlderNodes() && (await goesOn())) {
    const next = await db.read.first(nextInline({}));
    if (!next) return;
    const { logId } = next;
    await db.write(async (tx) => {
      for (const row of await tx.all(inlineOf({ logId }))) await convert(tx, deps, row);
    }, logId);
  }
}

async function convert(tx: Tx, deps: Deps, { logId, seq, type, actorId, data }: Inline): Promise<void> {
  const noun = contentNounOf(type);
  const record: Json = JSON.parse(data);
  if (!noun) return;
  const { id = FIRST_ID } = record as { id?: string };
  const version = noun === 'message' ? versionOf(record as never) : null;
  if (type === 'message.deleted') await tx.run(remove('messageVersion', { messageId: id }));
  else if (version !== null) await keepVersion(tx, deps, { id, version, actorId, content: record.content });
  await tx.run(
    q
      .updateTable('event')
      .set({ data: JSON.stringify(withoutContent(noun, record)), contentOf: id, version })
      .where('logId', '=', logId)
      .where('seq', '=', seq),
  );
}

/** Stores the content of an event as a version of its message, unless the event has no content. */
async function keepVersion(
  tx: Tx,
  deps: Deps,
  event: { id: string; version: number; actorId: string | null; content: unknown },
): Promise<void> {
  const { id: messageId, version: at, actorId: userId } = event;
  const message = await tx.first(find('message', { id: messageId }));
  if (!message || message.editedAt === null || typeof event.content !== 'string') return;
  const content = at === message.editedAt ? null : event.content;
  await tx.run(
    q
      .insertInto('messageVersion')
      .values({ id: deps.newId(), messageId, at, userId, content })
      // Later events with the same version are about reactions and pins.
      .onConflict((conflict) => conflict.columns(['messageId', 'at']).doNothing()),
  );
}
