import { sql } from 'kysely';
import { channelsOfAuthor } from '../../db/authorChannels.ts';
import { messagesOf } from '../../db/byAuthor.ts';
import type { Reader } from '../../db/contract.ts';
import { prepareKnown } from '../../db/known.ts';
import type { RowOf } from '../../db/schema.ts';
import { find, prepare, q } from '../../db/statements.ts';
import { isInSight } from '../../db/sweep.ts';
import { FIRST_ID } from '../../lib/deps.ts';
import { Lines } from './lines.ts';
import { lineOfPlace } from './places.ts';
import type { MessagesPage } from './rows.ts';
import type { Sight } from './sight.ts';

/** Direct messages per read. */
const PAGE_CHANNELS = 100;

/** A channel with messages in a person's export. */
export interface PersonPlace {
  channel: RowOf<'channel'>;
  server: { id: string; name: string | null };
  /**
   * Whether the person can see the channel. From a channel that they cannot see, an export contains only their
   * own messages and reactions.
   */
  isSeen: boolean;
  /**
   * Whether the channel is a direct message that the person can see. If so, all of its messages are exported.
   */
  isWhole: boolean;
}

const conversationsAfter = prepare((p: { userId: string; after: string }) =>
  q
    .selectFrom('channelMember')
    .select('channelId as id')
    .where('userId', '=', p.userId)
    .where('channelId', '>', p.after)
    .orderBy('channelId')
    .limit(sql.lit(PAGE_CHANNELS)),
);

/** Yields the ids of a person's direct messages, page by page in ascending order. */
async function* conversationsOf(db: Reader, userId: string, from: string): AsyncGenerator<string[]> {
  for (let after = from; ; ) {
    const page = await db.inTurn((reads) => reads.all(conversationsAfter({ userId, after })));
    const ids = page.map(({ id }) => id);
    if (ids.length > 0) yield ids;
    if (ids.length < PAGE_CHANNELS) return;
    after = ids.at(-1) as string;
  }
}

async function* flat(pages: AsyncGenerator<string[]>): AsyncGenerator<string> {
  for await (const page of pages) yield* page;
}

/** Merges ascending sequences of ids into one, without duplicates. */
async function* merged(...sequences: AsyncGenerator<string>[]): AsyncGenerator<string> {
  const heads = await Promise.all(sequences.map((ids) => ids.next()));
  for (;;) {
    const [id] = heads.flatMap(({ done, value }) => (done ? [] : [value as string])).sort();
    if (id === undefined) return;
    yield id;
    for (const [index, ids] of sequences.entries())
      if (heads[index]?.value === id) heads[index] = await ids.next();
  }
}

/**
 * Yields the channels in which a person wrote, and their direct messages, ordered by id. Reads no other
 * channels.
 */
export async function* placesOfPerson(
  db: Reader,
  { userId, sight, until, from }: { userId: string; sight: Sight; until: string; from: string },
): AsyncGenerator<PersonPlace> {
  const written = channelsOfAuthor(db, userId, from);
  for await (const id of merged(flat(written), flat(conversationsOf(db, userId, from)))) {
    const channel = await db.first(find('channel', { id }));
    const place = channel && (await placeOf(channel, { userId, sight }));
    if (place && (place.isWhole || (await hasWritten(db, { channelId: id, userId, until })))) yield place;
  }
}

/** Whether a person wrote a message with an id up to `until` in a channel. */
async function hasWritten(
  db: Reader,
  { channelId, userId, until }: { channelId: string; userId: string; until: string },
): Promise<boolean> {
  const all = { channelId, order: 'asc', first: FIRST_ID, last: until } as const;
  return (await db.first(messagesOf(db.dialect, all, userId).select('id').limit(1))) !== undefined;
}

const isMemberOf = ({ memberIds }: RowOf<'channel'>, userId: string): boolean =>
  memberIds?.includes(userId) === true;

/** Describes a channel as the person sees it. Undefined if the channel's server was deleted. */
export async function placeOf(
  channel: RowOf<'channel'>,
  { userId, sight }: { userId: string; sight: Sight },
): Promise<PersonPlace | undefined> {
  const server = await sight.server(channel.serverId);
  if (!server) return undefined;
  const isSeen = await sight.sees(channel);
  return { channel, server, isSeen, isWhole: isSeen && isMemberOf(channel, userId) };
}

/** Returns the line for a channel. For a channel that the person cannot see, it contains no details. */
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

/** Returns the threads that contain the messages. */
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

/** Returns the earlier versions of the person's messages, as lines. */
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

/**
 * Returns a page of messages in a channel that the person cannot see, without other users' reactions and
 * pins.
 */
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

/** Returns the ids of the messages that are not being deleted. */
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
