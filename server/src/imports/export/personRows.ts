import { messagesOf } from '../../db/byAuthor.ts';
import type { Reader } from '../../db/contract.ts';
import { prepareKnown } from '../../db/known.ts';
import type { RowOf } from '../../db/schema.ts';
import { q } from '../../db/statements.ts';
import { isInSight } from '../../db/sweep.ts';
import { FIRST_ID } from '../../lib/deps.ts';
import { Lines } from './lines.ts';
import { lineOfPlace } from './places.ts';
import type { MessagesPage } from './rows.ts';
import type { Sight } from './sight.ts';

/** Channels per read. */
const PAGE_CHANNELS = 100;

/** A channel with messages in a person's export. */
export interface PersonPlace {
  channel: RowOf<'channel'>;
  server: { id: string; name: string | null };
  /**
   * Whether the person can see it. For other channels, an export only contains the person's own messages and
   * reactions.
   */
  isSeen: boolean;
  /** Whether the channel is a direct message that the person sees: all of its messages are exported. */
  isWhole: boolean;
}

/**
 * The channels in which a person wrote, and their direct messages, ordered by id. Scans all channels, because
 * messages are indexed by channel and author.
 */
export async function* placesOfPerson(
  db: Reader,
  { userId, sight, until, from }: { userId: string; sight: Sight; until: string; from: string },
): AsyncGenerator<PersonPlace> {
  for (let after = from; ; ) {
    const { channels, written } = await db.inTurn(async (reads) => {
      const channels = await reads.all(
        q.selectFrom('channel').selectAll().where('id', '>', after).orderBy('id').limit(PAGE_CHANNELS),
      );
      const written = new Set<string>();
      for (const { id: channelId } of channels) {
        const all = { channelId, order: 'asc', first: FIRST_ID, last: until } as const;
        if (await reads.first(messagesOf(reads.dialect, all, userId).select('id').limit(1)))
          written.add(channelId);
      }
      return { channels, written };
    });
    for (const channel of channels) {
      if (!isMemberOf(channel, userId) && !written.has(channel.id)) continue;
      const place = await placeOf(channel, { userId, sight });
      if (place && (place.isWhole || written.has(channel.id))) yield place;
    }
    if (channels.length < PAGE_CHANNELS) return;
    after = channels.at(-1)?.id as string;
  }
}

const isMemberOf = ({ memberIds }: RowOf<'channel'>, userId: string): boolean =>
  memberIds?.includes(userId) === true;

/** Describes what a person sees of a channel. Undefined if its server was deleted. */
export async function placeOf(
  channel: RowOf<'channel'>,
  { userId, sight }: { userId: string; sight: Sight },
): Promise<PersonPlace | undefined> {
  const server = await sight.server(channel.serverId);
  if (!server) return undefined;
  const isSeen = await sight.sees(channel);
  return { channel, server, isSeen, isWhole: isSeen && isMemberOf(channel, userId) };
}

/** The line of a channel. For a channel that the person cannot see, it contains no details. */
export async function lineOfPersonPlace(db: Reader, { channel, server, isSeen, isWhole }: PersonPlace) {
  const { file, row } = await lineOfPlace(db, channel);
  const serverId = server.id;
  if (isWhole) return { file, row: { ...row, serverId } };
  // The other people who can see a channel are not part of the person's data.
  if (isSeen) return { file, row: { ...row, memberIds: [], serverId } };
  const { id, createdAt } = channel;
  const hidden = { id, createdAt, name: null, memberIds: [], creatorId: null, serverId };
  const ofChannel = { description: null, category: null, private: true, readonly: false };
  return { file, row: file === 'channels' ? { ...hidden, ...ofChannel } : hidden };
}

const threadsAmong = prepareKnown<{ id: string }, RowOf<'thread'>>({ id: 'uuid' }, (known) =>
  q
    .selectFrom(known.as('known'))
    .innerJoin('thread', 'thread.id', 'known.id')
    .selectAll('thread')
    .orderBy('thread.id'),
);

/** The threads of messages. */
export const threadsOfMessages = (
  db: Reader,
  messages: readonly RowOf<'message'>[],
): Promise<RowOf<'thread'>[]> => {
  const ids = [...new Set(messages.flatMap(({ threadId }) => threadId ?? []))].map((id) => ({ id }));
  return ids.length === 0 ? Promise.resolve([]) : db.all(threadsAmong(db.dialect, ids));
};

const versionsAmong = prepareKnown<{ id: string }, RowOf<'messageVersion'>>({ id: 'uuid' }, (known) =>
  q
    .selectFrom(known.as('known'))
    .innerJoin('messageVersion', 'messageVersion.messageId', 'known.id')
    .selectAll('messageVersion')
    .where('messageVersion.content', 'is not', null)
    .orderBy('messageVersion.messageId')
    .orderBy('messageVersion.at'),
);

/** The earlier versions of the person's messages, as lines. */
export async function versionLines(db: Reader, page: MessagesPage, userId: string): Promise<Lines> {
  const lines = new Lines();
  const edited = page.messages.filter((message) => message.creatorId === userId && message.editedAt !== null);
  if (edited.length === 0) return lines;
  for (const { messageId, at, content } of await db.all(
    versionsAmong(
      db.dialect,
      edited.map(({ id }) => ({ id })),
    ),
  ))
    lines.add('versions', { messageId, at, content });
  return lines;
}

/** A page of messages in a channel that the person cannot see, without other users' reactions and pins. */
export function ownPart(page: MessagesPage, userId: string): MessagesPage {
  const reactions = new Map<string, RowOf<'reaction'>[]>();
  for (const [id, rows] of page.reactions)
    reactions.set(
      id,
      rows.filter((row) => row.userId === userId),
    );
  const messages = page.messages.map((message) => ({
    ...message,
    reactions: (reactions.get(message.id) ?? []).map(({ emoji }) => ({ emoji, count: 1 })),
  }));
  return { ...page, messages, reactions, pins: new Map() };
}

const inSightAmong = prepareKnown<{ id: string }, { id: string }>({ id: 'uuid' }, (known) =>
  q
    .selectFrom(known.as('known'))
    .innerJoin('message', 'message.id', 'known.id')
    .select('message.id')
    .where(isInSight),
);

/** The ids of the messages that are not being deleted. */
export const idsInSight = async (db: Reader, ids: readonly string[]): Promise<ReadonlySet<string>> =>
  new Set(
    (
      await db.all(
        inSightAmong(
          db.dialect,
          ids.map((id) => ({ id })),
        ),
      )
    ).map(({ id }) => id),
  );
