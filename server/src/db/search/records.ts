import { type RawBuilder, sql } from 'kysely';
import { prepareKnown } from '../known.ts';
import { SHOWN_RECORD } from '../messageRecord.ts';
import { q } from '../statements.ts';
import { isInSight } from '../sweep.ts';

interface Found {
  id: string;
  record: string | null;
}

const select = (known: RawBuilder<{ id: string }>, condition: RawBuilder<unknown>) =>
  q
    .selectFrom(known.as('known'))
    .select([
      sql<string>`known.id`.as('id'),
      sql<
        string | null
      >`(select ${sql.raw(SHOWN_RECORD)} from message where message.id = known.id and ${condition})`.as(
        'record',
      ),
    ]);

/**
 * The records of messages as reads return them; null for messages that do not exist. Each is looked up by
 * primary key.
 */
export const recordsOf = prepareKnown<{ id: string }, Found>({ id: 'uuid' }, (known) =>
  select(known, sql`true`),
);

/** Like `recordsOf`, but excludes messages that are due to be swept. */
export const recordsOfSwept = prepareKnown<{ id: string }, Found>({ id: 'uuid' }, (known) =>
  select(known, sql`${isInSight}`),
);
