import type { Reader } from '../../db/contract.ts';
import { q } from '../../db/statements.ts';
import { latestPosition } from '../../feed/positions.ts';
import { MOST } from '../serverState/channelCounts.ts';
import type { LatestOwn } from '../serverState/ownMessages.ts';
import type { ServerState } from '../serverState/serverState.ts';
import {
  authored,
  type CountStart,
  countsAfter,
  FURTHER,
  looks,
  mentionsAfter,
  ofThreads,
  scans,
} from './countStatements.ts';

/** A channel in which to count messages after a marker. */
export interface Counted {
  channelId: string;
  /** The marker. */
  messageId: string;
}

export interface Counts {
  unread: number;
  mentions: number;
}

/** Number of channels per statement that counts messages. */
const COUNTED_CHANNELS = 64;
/** Number of channels per statement that scans messages one by one. */
const EXAMINED_CHANNELS = 4;

/** Unread mentions of a person, by the message's channel. */
type Mentions = readonly { channelId: string; messageId: string }[];

interface CountsOf {
  db: Reader;
  userId: string;
  channels: readonly Counted[];
  state: ServerState;
  /** All unread mentions of the person in these channels; undefined if they are not cached. */
  mentions: Mentions | undefined;
}

/**
 * Counts the messages from others after the markers, and the unread mentions among them, by channel. Each
 * count stops at `MOST`. Omits channels without any. Reads only counts that `state` does not have. The
 * messages themselves are scanned only during a sweep, up to a limit per channel.
 */
export async function countsOf({ db, userId, channels, state, mentions }: CountsOf) {
  const counts = new Map<string, Counts>();
  const placesOf = (some: readonly Counted[]): CountStart[] =>
    some.map(({ channelId, messageId: from }) => ({ channelId, from, userId }));
  const swept = await sweptAmong(db, channels, state);
  const { seq } = state;
  const found = await amountsAfter(db, state, channels, swept);
  const own = found.length === 0 ? undefined : await state.own(db, userId);
  const mixed: Amount[] = [];
  const unclear: Counted[] = [];
  for (const amount of found) {
    const { place, count } = amount;
    if (isOnlyOthers(own, place)) counts.set(place.channelId, { unread: count, mentions: 0 });
    else if (count < MOST) mixed.push(amount);
    else unclear.push(place);
  }
  const authored = await authoredAfter(db, state, seq, placesOf(mixed.map(({ place }) => place)));
  for (const { place, count } of mixed) {
    const ofReader = authored.get(place.channelId);
    if (ofReader === undefined) unclear.push(place);
    else counts.set(place.channelId, { unread: count - ofReader, mentions: 0 });
  }
  for (const [round, statement] of scans.entries()) {
    const some = new Map(unclear.splice(0).map((place) => [place.channelId, place]));
    if (some.size === 0) break;
    for (const { channelId, all, own } of await db.all(statement(db.dialect, placesOf([...some.values()])))) {
      const unread = Math.min(MOST, Number(all) - Number(own));
      // Either all messages were counted, or there are enough from others regardless of the reader's own.
      if (Number(all) < (FURTHER[round] as number) || unread === MOST)
        counts.set(channelId, { unread, mentions: 0 });
      else unclear.push(some.get(channelId) as Counted);
    }
  }
  await addMentions(db, counts, mentions, placesOf(channels));
  for (let at = 0; at < swept.length; at += EXAMINED_CHANNELS) {
    const some = placesOf(swept.slice(at, at + EXAMINED_CHANNELS));
    for (const { channelId, unread, mentions } of await db.inTurn((db) => db.all(looks(db.dialect, some))))
      counts.set(channelId, { unread: Number(unread), mentions: Number(mentions) });
  }
  return counts;
}

/**
 * Counts the reader's own messages after the markers, by channel. Returns nothing if the server's log has
 * advanced past `seq` in the meantime, because these counts may then not match the counts of all messages.
 */
async function authoredAfter(
  db: Reader,
  { serverId }: ServerState,
  seq: number,
  places: readonly CountStart[],
): Promise<ReadonlyMap<string, number>> {
  if (places.length === 0) return new Map();
  const found = await db.all(authored(db.dialect, places));
  if ((await latestPosition(db, serverId)).seq !== seq) return new Map();
  return new Map(found.map(({ channelId, own }) => [channelId, Number(own)]));
}

const isOnlyOthers = (own: LatestOwn | undefined, { channelId, messageId }: Counted): boolean =>
  own !== undefined && (own.get(channelId) ?? '') <= messageId;

const beingSwept = (channelIds: readonly string[]) =>
  q.selectFrom('channel').select('id').where('id', 'in', channelIds).where('isBeingSwept', '=', true);

/** Returns the channels in which messages are due to be swept. */
async function sweptAmong(db: Reader, channels: readonly Counted[], state: ServerState): Promise<Counted[]> {
  const { mayBeSwept } = state;
  if (mayBeSwept.size === 0) return [];
  const { seq } = state;
  const asked = [...mayBeSwept];
  const ids = new Set((await db.all(beingSwept(asked))).map(({ id }) => id));
  if (state.seq === seq) for (const id of asked) if (!ids.has(id)) mayBeSwept.delete(id);
  return channels.filter(({ channelId }) => ids.has(channelId));
}

interface Amount {
  place: Counted;
  count: number;
}

/**
 * Counts all messages after the markers, up to `MOST`, by channel. Omits channels without messages and the
 * channels in `swept`.
 */
async function amountsAfter(
  db: Reader,
  state: ServerState,
  channels: readonly Counted[],
  swept: readonly Counted[],
): Promise<Amount[]> {
  const amounts: Amount[] = [];
  const look = (places: readonly Counted[]): Counted[] =>
    places.filter((place) => {
      const count = state.counts.after(place.channelId, place.messageId);
      if (count === undefined) return true;
      if (count > 0) amounts.push({ place, count });
      return false;
    });
  const hidden = new Set(swept);
  const missing = look(hidden.size > 0 ? channels.filter((place) => !hidden.has(place)) : channels);
  for (let at = 0; at < missing.length; at += COUNTED_CHANNELS) {
    const some = missing.slice(at, at + COUNTED_CHANNELS);
    await db.inTurn(async (db) => {
      // Another request may have counted the messages while this one was queued.
      const left = new Map(look(some).map((place) => [place.channelId, place]));
      if (left.size === 0) return;
      const { seq } = state;
      const places = [...left].map(([channelId, { messageId: from }]) => ({ channelId, from }));
      for (const found of await db.all(countsAfter(db.dialect, places))) {
        const counted = { ...found, count: Number(found.count) };
        if (state.seq === seq) state.counts.learn(counted);
        const place = left.get(counted.channelId) as Counted;
        if (counted.count > 0) amounts.push({ place, count: counted.count });
      }
    });
  }
  return amounts;
}

/** Adds unread mentions to the channels that have unread messages. */
async function addMentions(
  db: Reader,
  counts: Map<string, Counts>,
  known: Mentions | undefined,
  places: readonly CountStart[],
): Promise<void> {
  if (known?.length === 0 || counts.size === 0) return;
  const of = new Map(places.map((place) => [place.channelId, place]));
  if (known) {
    for (const { channelId, messageId } of known) {
      const counted = counts.get(channelId);
      const from = of.get(channelId)?.from;
      if (counted && from !== undefined && messageId > from && counted.mentions < MOST) counted.mentions++;
    }
    return;
  }
  const some = [...counts.keys()].map((channelId) => of.get(channelId) as CountStart);
  for (const { channelId, mentions } of await db.all(mentionsAfter(db.dialect, some)))
    (counts.get(channelId) as Counts).mentions = Number(mentions);
}

/** Counts the replies from others after the marker, by thread, up to `MOST`. */
export async function repliesAfter(
  db: Reader,
  userId: string,
  threads: readonly { threadId: string; messageId: string }[],
): Promise<ReadonlyMap<string, number>> {
  if (threads.length === 0) return new Map();
  const rows = threads.map(({ threadId, messageId }) => ({ threadId, from: messageId, userId }));
  const found = await db.all(ofThreads(db.dialect, rows));
  return new Map(found.map(({ threadId, unread }) => [threadId, Number(unread)]));
}
