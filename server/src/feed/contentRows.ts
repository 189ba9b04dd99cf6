import { type ExpressionBuilder, expressionBuilder, sql } from 'kysely';
import { prepareKnown } from '../db/known.ts';
import { SHOWN_RECORD } from '../db/messageRecord.ts';
import type { RowOf, Tables } from '../db/schema.ts';
import { q } from '../db/statements.ts';
import { isInSight } from '../db/sweep.ts';

// The statements that read the content referenced by events (`contents.ts`).

/** Texts larger than this many bytes are read one at a time. */
const LARGE_BYTES = 16 * 1024;

/** The content of a file, a thread or an interaction. */
export type Part = { id: string; name?: string | null; ephemeral?: string | null };

/**
 * Returns the condition that a message is not in a deleted thread, whose messages are swept later. The join
 * with `channel` excludes the messages of deleted channels.
 */
const isThere = (eb: ExpressionBuilder<Tables, 'message' | 'channel'>) =>
  eb.or([eb('channel.isBeingSwept', '=', false), isInSight]);

const isUntouched = sql<boolean>`"message".pinned = false and cast("message".reactions as text) = '[]'`;
const smallRecord = (limit: number) =>
  sql<
    string | null
  >`case when octet_length("message".content) + coalesce(octet_length(cast("message".blocks as text)), 0) < ${sql.lit(limit)} then ${sql.raw(SHOWN_RECORD)} end`;

/**
 * A column with the record of the message in a `message.created` event, which saves a second read for the
 * most frequent events. Null for other events, and if the message is large or has changed since it was
 * created.
 */
export const newMessage = sql<
  string | null
>`case when event.type = 'message.created' then ${expressionBuilder<Tables, 'event'>()
  .selectFrom('message')
  .innerJoin('channel', 'channel.id', 'message.channelId')
  .select(smallRecord(LARGE_BYTES).as('record'))
  .whereRef('message.id', '=', 'event.contentOf')
  .whereRef('message.createdAt', '=', 'event.version')
  .whereRef('message.updatedAt', '=', 'event.version')
  .where('message.editedAt', 'is', null)
  .where(isUntouched)
  .where(isThere)} end`.as('newMessage');

/** The current state of a message. */
export interface MessageNow {
  id: string;
  creatorId: string;
  createdAt: number;
  updatedAt: number;
  editedAt: number | null;
  /** Whether the message is not pinned and has no reactions. */
  isPlain: boolean;
  /** The record as JSON; null if it is large. */
  record: string | null;
}

const messagesKnown = (limit: number) =>
  prepareKnown<{ id: string }, MessageNow>({ id: 'uuid' }, (known) =>
    q
      .selectFrom(known.as('known'))
      .innerJoin('message', 'message.id', 'known.id')
      // Messages in a deleted channel are swept later but are treated as deleted immediately.
      .innerJoin('channel', 'channel.id', 'message.channelId')
      .select([
        'message.id',
        'message.creatorId',
        'message.createdAt',
        'message.updatedAt',
        'message.editedAt',
      ])
      .select([smallRecord(limit).as('record'), isUntouched.as('isPlain')])
      .where(isThere),
  );

export const smallMessages = messagesKnown(LARGE_BYTES);
export const anyMessages = messagesKnown(Number.MAX_SAFE_INTEGER);

type Version = Pick<RowOf<'messageVersion'>, 'messageId' | 'at' | 'content'>;

export const versionsKnown = prepareKnown<{ id: string; at: number }, Version>(
  { id: 'uuid', at: 'bigint' },
  (known) =>
    q
      .selectFrom(known.as('known'))
      .innerJoin('messageVersion as version', (join) =>
        join.onRef('version.messageId', '=', 'known.id').onRef('version.at', '=', 'known.at'),
      )
      .select(['version.messageId', 'version.at', 'version.content']),
);

export const filesKnown = prepareKnown<
  { id: string },
  Pick<RowOf<'attachment'>, 'id' | 'name' | 'thumbhash'>
>({ id: 'uuid' }, (known) =>
  q
    .selectFrom(known.as('known'))
    .innerJoin('attachment', 'attachment.id', 'known.id')
    .select(['attachment.id', 'attachment.name', 'attachment.thumbhash'])
    // A file is deleted with its message, and a message with its channel.
    .where((eb) =>
      eb.or([
        eb('attachment.messageId', 'is', null),
        eb.exists(
          eb
            .selectFrom('message')
            .innerJoin('channel', 'channel.id', 'message.channelId')
            .select('message.id')
            .whereRef('message.id', '=', 'attachment.messageId')
            .where(isThere),
        ),
      ]),
    ),
);

export const threadsKnown = prepareKnown<{ id: string }, Pick<RowOf<'thread'>, 'id' | 'name'>>(
  { id: 'uuid' },
  (known) =>
    q
      .selectFrom(known.as('known'))
      .innerJoin('thread', 'thread.id', 'known.id')
      .innerJoin('channel', 'channel.id', 'thread.channelId')
      .select(['thread.id', 'thread.name']),
);

export const interactionsKnown = prepareKnown<
  { id: string },
  Pick<RowOf<'interaction'>, 'id' | 'value' | 'options' | 'ephemeral'>
>({ id: 'uuid' }, (known) =>
  q
    .selectFrom(known.as('known'))
    .innerJoin('interaction', 'interaction.id', 'known.id')
    .innerJoin('channel', 'channel.id', 'interaction.channelId')
    .select(['interaction.id', 'interaction.value', 'interaction.options', 'interaction.ephemeral']),
);
