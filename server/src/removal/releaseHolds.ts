import { sql } from 'kysely';
import type { RowOf } from '../db/schema.ts';
import { prepare, q, update } from '../db/statements.ts';
import { FIRST_ID } from '../lib/deps.ts';
import { covers, holdsIn } from '../resources/hold/scope.ts';
import type { GoesOn } from './forget.ts';
import type { FileUpkeep } from './forgetFiles.ts';

/** Number of kept messages per write. */
const BATCH_MESSAGES = 100;

const nextEnded = prepare((p: { now: number }) =>
  q
    .selectFrom('hold')
    .selectAll()
    .where('releasedAt', 'is', null)
    .where((eb) => eb.or([eb('endedAt', 'is not', null), eb('until', '<=', p.now)]))
    .orderBy('id')
    .limit(sql.lit(1)),
);

const keptAfter = prepare((p: { serverId: string; after: string }) =>
  q
    .selectFrom('keptMessage')
    .select(['id', 'creatorId', 'channelId'])
    .where('serverId', '=', p.serverId)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(sql.lit(BATCH_MESSAGES)),
);

/**
 * Deletes kept messages that are no longer covered by a hold, in small writes. Their files are removed
 * afterwards.
 */
export async function releaseHolds({ db, deps }: FileUpkeep, goesOn: GoesOn): Promise<void> {
  while (await goesOn()) {
    const ended = await db.read.first(nextEnded({ now: deps.now() }));
    if (!ended) return;
    if (!(await release({ db, deps }, ended, goesOn))) return;
    await db.write((tx) => tx.run(update('hold', ended.id, { releasedAt: deps.now() })));
  }
}

/**
 * Deletes the kept messages of a server that are no longer covered by a hold. Returns false if `goesOn`
 * stopped it.
 */
async function release(
  { db, deps }: Pick<FileUpkeep, 'db' | 'deps'>,
  { serverId }: RowOf<'hold'>,
  goesOn: GoesOn,
): Promise<boolean> {
  for (let after = FIRST_ID; ; ) {
    if (!(await goesOn())) return false;
    const last = await db.write(async (tx) => {
      const page = await tx.all(keptAfter({ serverId, after }));
      const holds = await holdsIn(tx, serverId, deps.now(tx.time()));
      const free = page.filter((message) => !holds.some((hold) => covers(hold, message)));
      const ids = free.map(({ id }) => id);
      if (ids.length > 0) await tx.run(q.deleteFrom('keptMessage').where('id', 'in', ids));
      return page.length < BATCH_MESSAGES ? undefined : page.at(-1)?.id;
    }, serverId);
    if (last === undefined) return true;
    after = last;
  }
}
