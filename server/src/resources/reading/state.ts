import { type RawBuilder, sql } from 'kysely';
import type { Principal } from '../../access/principal.ts';
import type { Reader } from '../../db/contract.ts';
import { prepareKnown } from '../../db/known.ts';
import { prepare, q } from '../../db/statements.ts';
import type { Level } from '../../db/tables/channelReading.ts';
import type { LogPosition } from '../../feed/eventId.ts';
import { latestPosition } from '../../feed/positions.ts';
import { LAST_ID } from '../../lib/deps.ts';
import { conversationIdsIn } from '../conversation/own.ts';
import { MOST } from '../serverState/channelCounts.ts';
import type { ServerState, ServerStates } from '../serverState/serverState.ts';
import { type Counts, countsOf } from './counts.ts';
import { draftsOf } from './draft.ts';
import { noMark, readUpToOf } from './markers.ts';

/** The reading state of one channel. */
interface ChannelReading extends Counts {
  channelId: string;
  /** The marker: messages with greater ids are unread. */
  messageId: string;
  /** When something in the channel was last marked as unread, in ms; 0 for never. */
  unreadAt: number;
  /** Null to use the server's level. */
  level: Level | null;
  mutedUntil: number | null;
  favorite: boolean;
  hidden: boolean;
}

/** A person's whole reading state in a server. */
export interface ServerReading {
  serverId: string;
  /** Null for the default, `all`. */
  level: Level | null;
  mutedUntil: number | null;
  /** Every channel that the person can see, ordered by channel id. */
  channels: ChannelReading[];
  /**
   * Unread notifications about messages after the markers, up to `MOST`, without reactions; null if only some
   * channels were requested.
   */
  notifications: number | null;
  /** The person's drafts in the server. */
  drafts: Awaited<ReturnType<typeof draftsOf>>;
}

const ofServer = prepare((p: { serverId: string; userId: string }) =>
  q
    .selectFrom('server')
    .leftJoin('serverReading as whole', (join) =>
      join.onRef('whole.serverId', '=', 'server.id').on('whole.userId', '=', p.userId),
    )
    .leftJoin('serverMember as member', (join) =>
      join.onRef('member.serverId', '=', 'server.id').on('member.userId', '=', p.userId),
    )
    .select(['whole.messageId as readUpTo', 'whole.readAt', 'whole.level', 'whole.mutedUntil'])
    .select('member.id as memberId')
    .where('server.id', '=', p.serverId),
);

interface OwnIn {
  channelId: string;
  userId: string;
}

/**
 * Selects a person's rows in the given channels. They are selected by channel, because a server may have many
 * direct messages between other members.
 */
const marksIn = prepareKnown({ channelId: 'uuid', userId: 'uuid' }, (table: RawBuilder<OwnIn>) =>
  q
    .selectFrom('channelReading as own')
    .innerJoin(table.as('known'), (join) =>
      join.onRef('known.channelId', '=', 'own.channelId').onRef('known.userId', '=', 'own.userId'),
    )
    .select(['own.channelId', 'own.messageId', 'own.unreadAt', 'own.level', 'own.mutedUntil'])
    .select(['own.favorite', 'own.hidden']),
);

const placesOf = (channelIds: readonly string[], userId: string): OwnIn[] =>
  channelIds.map((channelId) => ({ channelId, userId }));

interface ReadingOf {
  db: Reader;
  viewer: Principal & { serverId: string };
  state: ServerState;
  /** The channels, ordered by id. The person can see all of them. */
  channelIds: readonly string[];
  /** The ids of direct messages' latest messages, by channel, if known. */
  latest?: ReadonlyMap<string, string>;
  /** Whether these are all channels that the person can see. Notifications are then also counted. */
  isWhole: boolean;
}

/** Reads a person's reading state in the given channels of a server. */
export async function readingIn({
  db,
  viewer,
  state,
  channelIds,
  latest,
  isWhole,
}: ReadingOf): Promise<ServerReading> {
  const { serverId, userId } = viewer;
  const [server, drafts, marks, unread] = await Promise.all([
    db.first(ofServer({ serverId, userId })),
    draftsOf(db, viewer),
    channelIds.length === 0 ? [] : db.all(marksIn(db.dialect, placesOf(channelIds, userId))),
    isWhole ? db.all(latestUnread({ serverId, userId })) : undefined,
  ]);
  const whole = {
    readUpTo: server?.readUpTo ?? null,
    readAt: server?.readAt ?? null,
    memberId: server?.memberId ?? null,
  };
  const marked = new Map(marks.map((mark) => [mark.channelId, mark]));
  const unmarked = readUpToOf({ ...noMark, ...whole });
  const channels = channelIds.map((channelId): ChannelReading => {
    const own = marked.get(channelId);
    const messageId = own ? readUpToOf({ ...own, ...whole }) : unmarked;
    const { unreadAt, level, mutedUntil, ...place } = own ?? noMark;
    const [favorite, hidden] = [Boolean(place.favorite), Boolean(place.hidden)];
    const counts = { unread: 0, mentions: 0 };
    return { channelId, messageId, unreadAt, ...counts, level, mutedUntil, favorite, hidden };
  });
  const mentions =
    unread && unread.length < MAX_NOTIFICATIONS ? unread.filter(({ type }) => type === 'mention') : undefined;
  const mayBeUnread = channels.filter(
    ({ channelId, messageId }) => messageId < (latest?.get(channelId) ?? LAST_ID),
  );
  const counts = await countsOf({ db, userId, channels: mayBeUnread, state, mentions });
  for (const channel of channels) {
    const found = counts.get(channel.channelId);
    if (!found) continue;
    channel.unread = found.unread;
    channel.mentions = found.mentions;
  }
  return {
    serverId,
    level: server?.level ?? null,
    mutedUntil: server?.mutedUntil ?? null,
    drafts,
    notifications: unread ? amountAfter(unread, channels) : null,
    channels,
  };
}

/** Reads a person's reading state in the server in which they act. `only` limits it to these channels. */
export async function readingOf(
  db: Reader,
  states: ServerStates,
  viewer: Principal & { serverId: string },
  { only, place }: { only?: readonly string[] | undefined; place?: LogPosition } = {},
): Promise<ServerReading> {
  const { serverId } = viewer;
  const state = await states.at(db, serverId, place ?? (await latestPosition(db, serverId)));
  const [rows, direct] = await Promise.all([state.rows(db), conversationIdsIn(db, viewer, only)]);
  const channelIds = [...rows.sightOf(viewer).channelIds, ...direct].sort();
  const wanted = only && new Set(only);
  const some = wanted ? channelIds.filter((id) => wanted.has(id)) : channelIds;
  return readingIn({ db, viewer, state, channelIds: some, isWhole: only === undefined });
}

/**
 * The range of log positions for counts: they include all events up to `countedFrom`, and none after
 * `countedTo`.
 */
export interface Counted {
  countedFrom: number;
  countedTo: number;
}

/**
 * Reads counts between two reads of the server's log position, so that clients know for each event whether
 * the counts include it. This is uncertain only for events between the two positions, and there are rarely
 * any. `from` is the first position.
 */
export async function countedIn<T>(
  db: Reader,
  serverId: string,
  { seq: countedFrom }: LogPosition,
  read: () => Promise<T>,
): Promise<T & Counted> {
  const found = await read();
  const { seq: countedTo } = await latestPosition(db, serverId);
  return { ...found, countedFrom, countedTo };
}

/**
 * Maximum notifications to scan for unread ones. A person who reads channels but not the inbox has many
 * notifications whose messages are already read.
 */
const MAX_NOTIFICATIONS = 2_000;

const latestUnread = prepare((p: { userId: string; serverId: string }) =>
  q
    .selectFrom('notification')
    .select(['channelId', 'messageId', 'type'])
    .where('userId', '=', p.userId)
    .where('serverId', '=', p.serverId)
    .where('readAt', 'is', null)
    .where('type', '!=', sql.lit('reaction'))
    .orderBy('id', 'desc')
    .limit(sql.lit(MAX_NOTIFICATIONS)),
);

/** The types of notifications that stay unread when their channel is read. */
export const lasting: ReadonlySet<string> = new Set(['reminder', 'schedule', 'report', 'flow']);

/** Counts the unread notifications after these channels' markers, up to `MOST`. */
function amountAfter(
  unread: readonly { channelId: string; messageId: string; type: string }[],
  channels: readonly Pick<ChannelReading, 'channelId' | 'messageId'>[],
): number {
  if (unread.length === 0) return 0;
  const markers = new Map(channels.map(({ channelId, messageId }) => [channelId, messageId]));
  const isAfter = ({ channelId, messageId, type }: (typeof unread)[number]) =>
    lasting.has(type) || messageId > (markers.get(channelId) ?? LAST_ID);
  return Math.min(MOST, unread.filter(isAfter).length);
}
