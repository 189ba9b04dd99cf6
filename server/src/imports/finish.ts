import { sql } from 'kysely';
import { find, insert, prepare, q, remove } from '../db/statements.ts';
import { operator } from '../operations/work.ts';
import { changeAs } from '../resources/change.ts';
import { showLatest } from '../resources/conversation/own.ts';
import { mergeAgain } from '../resources/placeholder.ts';
import { importEvents } from '../resources/server/serverRecord.ts';
import type { Target } from './target.ts';

/** Maximum channels per write that moves read markers. */
const CHANNELS = 20;

/** Records that an import adds rows to a server. Returns whether the import continues an unfinished one. */
export async function begin({ server, services: { db } }: Target): Promise<boolean> {
  const serverId = server.id;
  return db.write(async (tx) => {
    if (await tx.first(find('unfinishedImport', { id: serverId }))) return true;
    await tx.run(insert('unfinishedImport', { id: serverId, serverId, messages: 0 }));
    return false;
  }, serverId);
}

/** Counts added messages, in the same transaction. */
export const countMessages = prepare((p: { serverId: string; messages: number }) =>
  q
    .updateTable('unfinishedImport')
    .set({ messages: sql<number>`messages + ${p.messages}` })
    .where('id', '=', p.serverId),
);

/**
 * Ends an import. If this or an earlier attempt wrote anything, marks the imported messages as read, detaches
 * threads of lost messages, and emits one event that makes clients reload the server.
 */
export async function finish(
  target: Target,
  {
    greatest,
    isContinued,
    placeholders,
  }: { greatest: ReadonlyMap<string, string>; isContinued: boolean; placeholders: readonly string[] },
): Promise<void> {
  const { services, server, source, tally } = target;
  const serverId = server.id;
  const counted = ['people', 'channels', 'conversations', 'messages', 'emoji'] as const;
  const isChanged = target.hasOtherChanges || counted.some((kind) => tally.countsOf(kind).written > 0);
  if (!isChanged && !isContinued)
    return services.db.write((tx) => tx.run(remove('unfinishedImport', { id: serverId })), serverId);
  const channels = [...greatest];
  for (let at = 0; at < channels.length; at += CHANNELS) {
    const some = channels.slice(at, at + CHANNELS);
    await services.db.write(async (tx) => {
      for (const [channelId, messageId] of some) {
        await tx.run(markRead(serverId, channelId, messageId));
        await tx.run(releaseThreads(channelId));
        await tx.run(showLatest({ channelId, latestId: messageId }));
      }
    }, serverId);
  }
  await changeAs(
    services.actor ?? operator,
    services,
    async (work) => {
      const since = isContinued ? 0 : target.latest;
      await mergeAgain(work.db, { userIds: placeholders, since, now: work.now });
      const { id, createdAt } = work.newRow();
      const ended = await work.db.first(find('unfinishedImport', { id: serverId }));
      await work.db.run(remove('unfinishedImport', { id: serverId }));
      await work.emit(importEvents.finished, {
        ...{ id, createdAt, serverId, source },
        messages: ended?.messages ?? 0,
      });
    },
    serverId,
  );
}

/** Moves the read markers of people who joined before the newest imported message in a channel. */
const markRead = (serverId: string, channelId: string, messageId: string) =>
  q
    .insertInto('channelReading')
    .columns(['channelId', 'userId', 'messageId', 'unreadAt', 'level', 'mutedUntil', 'favorite', 'hidden'])
    .expression(
      q
        .selectFrom('serverMember')
        .select([
          sql<string>`${channelId}`.as('channelId'),
          'userId',
          sql<string>`${messageId}`.as('messageId'),
          sql<number>`0`.as('unreadAt'),
          sql<null>`null`.as('level'),
          sql<null>`null`.as('mutedUntil'),
          sql<boolean>`false`.as('favorite'),
          sql<boolean>`false`.as('hidden'),
        ])
        .where('serverId', '=', serverId)
        .where('isAgent', '=', false)
        .where('id', '<', messageId),
    )
    .onConflict((conflict) =>
      conflict.columns(['channelId', 'userId']).doUpdateSet({
        messageId: sql<string>`case when "channelReading"."messageId" > excluded."messageId"
          then "channelReading"."messageId" else excluded."messageId" end`,
      }),
    );

const releaseThreads = (channelId: string) =>
  q
    .updateTable('thread')
    .set({ messageId: null })
    .where('channelId', '=', channelId)
    .where('messageId', 'is not', null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb.selectFrom('message').select('message.id').whereRef('message.id', '=', 'thread.messageId'),
        ),
      ),
    );
