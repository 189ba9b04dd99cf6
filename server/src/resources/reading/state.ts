import { type RawBuilder, sql } from 'kysely';
import type { Principal } from '../../access/principal.ts';
import type { Reader } from '../../db/contract.ts';
import { prepareKnown } from '../../db/known.ts';
import { prepare, q } from '../../db/statements.ts';
import type { Level } from '../../db/tables/channelReading.ts';
import type { LogPosition } from '../../feed/eventId.ts';
import { latestPosition } from '../../feed/positions.ts';
import { LAST_ID } from '../../lib/deps.ts';
import type { RowsPart } from '../../operations/joined.ts';
import { conversationIdsIn } from '../conversation/own.ts';
import { MOST } from '../serverState/channelCounts.ts';
import type { ServerState, ServerStates } from '../serverState/serverState.ts';
import { countsOf } from './counts.ts';
import { draftsOf } from './draft.ts';
import { noMark, readUpToOf } from './markers.ts';
import { type OwnMark, rowsOf } from './rows.ts';

/** A person's whole reading state in a server. */
export interface ServerReading {
  serverId: string;
  /** Null for the default, `all`. */
  level: Level | null;
  mutedUntil: number | null;
  /** Always empty: the elements are in `Reading.rows`. */
  channels: [];
  /**
   * Unread notifications that are `lasting` or about messages after the markers, without reactions, up to
   * `MOST`; null if only some channels were requested.
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

const markColumns = [
  ...['own.channelId', 'own.messageId', 'own.unreadAt', 'own.level', 'own.mutedUntil'],
  ...['own.favorite', 'own.hidden'],
] as const;

/** Selects a person's rows in all servers, up to a limit. */
const marksOf = prepare((p: { userId: string; rows: number }) =>
  q
    .selectFrom('channelReading as own')
    .select(markColumns)
    .where('own.userId', '=', p.userId)
    .orderBy('own.userId')
    .orderBy('own.channelId')
    .limit(p.rows),
);

/** Selects a person's rows in the given channels. */
const marksIn = prepareKnown({ channelId: 'uuid', userId: 'uuid' }, (table: RawBuilder<OwnIn>) =>
  q
    .selectFrom('channelReading as own')
    .innerJoin(table.as('known'), (join) =>
      join.onRef('known.channelId', '=', 'own.channelId').onRef('known.userId', '=', 'own.userId'),
    )
    .select(markColumns),
);

/**
 * Reads a person's rows in the given channels, by channel. Most people have rows in few channels, so all
 * their rows are read, unless they have many more in other servers.
 */
async function marksBy(
  db: Reader,
  userId: string,
  channelIds: readonly string[],
): Promise<ReadonlyMap<string, OwnMark>> {
  if (channelIds.length === 0) return new Map();
  const rows = 2 * channelIds.length;
  let marks: (OwnMark & { channelId: string })[] = await db.all(marksOf({ userId, rows }));
  if (marks.length === rows) {
    const places = channelIds.map((channelId) => ({ channelId, userId }));
    marks = await db.all(marksIn(db.dialect, places));
  }
  return new Map(marks.map((mark) => [mark.channelId, mark]));
}

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

/** A person's reading state. `rows` are the elements of `reading.channels`. */
export interface Reading {
  reading: ServerReading;
  rows: RowsPart;
}

/** Reads a person's reading state in the given channels of a server. */
export async function readingIn({
  db,
  viewer,
  state,
  channelIds,
  latest,
  isWhole,
}: ReadingOf): Promise<Reading> {
  const { serverId, userId } = viewer;
  const [server, drafts, marks, unread] = await Promise.all([
    db.first(ofServer({ serverId, userId })),
    draftsOf(db, viewer),
    marksBy(db, userId, channelIds),
    isWhole ? db.all(latestUnread({ serverId, userId })) : undefined,
  ]);
  const whole = {
    readUpTo: server?.readUpTo ?? null,
    readAt: server?.readAt ?? null,
    memberId: server?.memberId ?? null,
  };
  const unmarked = readUpToOf({ ...noMark, ...whole });
  const markers = channelIds.map((channelId) => {
    const own = marks.get(channelId);
    return own ? readUpToOf({ ...own, ...whole }) : unmarked;
  });
  const mentions =
    unread && unread.length < MAX_NOTIFICATIONS ? unread.filter(({ type }) => type === 'mention') : undefined;
  const isRead = (at: number): boolean => {
    const last = latest?.get(channelIds[at] as string);
    return last !== undefined && last <= (markers[at] as string);
  };
  const counts = await countsOf({ db, userId, state, channelIds, markers, isRead, mentions });
  const reading: ServerReading = {
    serverId,
    level: server?.level ?? null,
    mutedUntil: server?.mutedUntil ?? null,
    drafts,
    notifications: unread ? amountAfter(unread, channelIds, markers) : null,
    channels: [],
  };
  return { reading, rows: rowsOf({ channelIds, markers, counts, marks }) };
}

/** Reads a person's reading state in the server in which they act. `only` limits it to these channels. */
export async function readingOf(
  db: Reader,
  states: ServerStates,
  viewer: Principal & { serverId: string },
  { only, place }: { only?: readonly string[] | undefined; place?: LogPosition } = {},
): Promise<Reading> {
  const { serverId } = viewer;
  const state = await states.at(db, serverId, place ?? (await latestPosition(db, serverId)));
  const [rows, direct] = await Promise.all([state.rows(db), conversationIdsIn(db, viewer, only)]);
  const channelIds = withConversations(rows.sightOf(viewer).channelIds, direct);
  const wanted = only && new Set(only);
  const some = wanted ? channelIds.filter((id) => wanted.has(id)) : channelIds;
  return readingIn({ db, viewer, state, channelIds: some, isWhole: only === undefined });
}

/** Returns the ids of channels and direct messages, sorted. `channelIds` must already be sorted. */
export const withConversations = (channelIds: readonly string[], direct: readonly string[]) =>
  direct.length === 0 ? channelIds : [...channelIds, ...direct].sort();

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
 * the counts include it. Only events between the two positions are uncertain, and these are rare. The caller
 * has read the first position.
 */
export async function countedIn(
  db: Reader,
  serverId: string,
  { seq: countedFrom }: LogPosition,
  read: () => Promise<Reading>,
): Promise<{ reading: ServerReading & Counted; rows: RowsPart }> {
  const { reading, rows } = await read();
  const { seq: countedTo } = await latestPosition(db, serverId);
  return { reading: { ...reading, countedFrom, countedTo }, rows };
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

/** Counts the unread notifications that are `lasting` or after these channels' markers, up to `MOST`. */
function amountAfter(
  unread: readonly { channelId: string; messageId: string; type: string }[],
  channelIds: readonly string[],
  markers: readonly string[],
): number {
  if (unread.length === 0) return 0;
  const markerOf = new Map(channelIds.map((channelId, at) => [channelId, markers[at] as string]));
  const isAfter = ({ channelId, messageId, type }: (typeof unread)[number]) =>
    lasting.has(type) || messageId > (markerOf.get(channelId) ?? LAST_ID);
  return Math.min(MOST, unread.filter(isAfter).length);
}
