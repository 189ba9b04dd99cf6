import { sql } from 'kysely';
import { q } from '../db/statements.ts';
import { change } from '../resources/change.ts';
import { showLatest } from '../resources/conversation/own.ts';
import { importEvents } from '../resources/server/serverRecord.ts';
import type { Target } from './target.ts';

/** Channels whose markers are moved by one write. */
const CHANNELS = 20;

/**
 * Ends an import that wrote something: nothing of it is unread, threads of lost messages stand alone, and one event tells
 * clients to load the server again.
 */
export async function finish(target: Target, greatest: ReadonlyMap<string, string>): Promise<void> {
  const { services, server, source, tally } = target;
  const isChanged = (['people', 'channels', 'conversations', 'messages', 'emoji'] as const).some(
    (kind) => tally.countsOf(kind).written > 0,
  );
  if (!isChanged) return;
  const channels = [...greatest];
  for (let at = 0; at < channels.length; at += CHANNELS) {
    const some = channels.slice(at, at + CHANNELS);
    await services.db.write(async (tx) => {
      for (const [channelId, messageId] of some) {
        await tx.run(markRead(server.id, channelId, messageId));
        await tx.run(releaseThreads(channelId));
        await tx.run(showLatest({ channelId, latestId: messageId }));
      }
    }, server.id);
  }
  await change(
    services,
    async (work) => {
      const { id, createdAt } = work.newRow();
      await work.emit(importEvents.finished, {
        ...{ id, createdAt, serverId: server.id, source },
        messages: tally.countsOf('messages').written,
      });
    },
    server.id,
  );
}

/** Moves the markers of people who joined before the newest imported message of a channel. */
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
