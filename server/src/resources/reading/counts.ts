import type { Reader } from '../../db/contract.ts';
import { latestPosition } from '../../feed/positions.ts';
import { MOST } from '../serverState/channelCounts.ts';
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

/** Number of channels per statement that counts messages. */
const COUNTED_CHANNELS = 64;
/** Number of channels per statement that scans messages one by one. */
const EXAMINED_CHANNELS = 4;

/** Unread mentions of a person, by the message's channel. */
type Mentions = readonly { channelId: string; messageId: string }[];

interface CountsOf {
  db: Reader;
  userId: string;
  state: ServerState;
  /** The channels, ordered by id, and their markers. */
  channelIds: readonly string[];
  markers: readonly string[];
  /** Whether a channel is known to have no messages after its marker. */
  isRead(channel: number): boolean;
  /** All unread mentions of the person in these channels; undefined if they are not cached. */
  mentions: Mentions | undefined;
}

/** The counts of each channel, in the same order as the channels. */
export interface Counts {
  unread: Uint16Array;
  mentions: Uint16Array;
}

/** Channels, as their indexes in `channelIds`. */
type Channels = readonly number[];

const placesOf = ({ channelIds, markers, userId }: CountsOf, some: Channels): CountStart[] =>
  some.map((at) => ({ channelId: channelIds[at] as string, from: markers[at] as string, userId }));

/**
 * Counts the messages from others after the markers, and the unread mentions among them. Each count stops at
 * `MOST`. Reads only counts that `state` does not have. The messages themselves are scanned only during a
 * sweep, up to a limit per channel.
 */
export async function countsOf(of: CountsOf): Promise<Counts> {
  const { db, userId, state, channelIds, markers } = of;
  const counts = {
    unread: new Uint16Array(channelIds.length),
    mentions: new Uint16Array(channelIds.length),
  };
  const swept = await sweptAmong(of);
  const amounts = new Amounts(of, swept);
  const mayHaveUnread = amounts.missing().length > 0 || amounts.counts.some((count) => count > 0);
  const own = mayHaveUnread ? await state.own(db, userId) : undefined;
  for (let missing = amounts.missing(); missing.length > 0; missing = amounts.missing())
    await amounts.read(missing);

  // Nothing is awaited until the end of the loop, so all counts and the person's own messages have the same
  // position.
  const { seq } = state;
  const unknown: number[] = [];
  const unclear: number[] = [];
  const full: number[] = [];
  const doubtful: number[] = [];
  for (let at = 0; at < channelIds.length; at++) {
    const count = amounts.counts[at] as number;
    if (count === 0) continue;
    const ofReader = own?.after(channelIds[at] as string, markers[at] as string);
    const isUncertain = amounts.isUncertain(at);
    const isExact = ofReader !== undefined && ofReader <= count && !isUncertain;
    if (isExact && (ofReader === 0 || count < MOST || count - ofReader >= MOST))
      counts.unread[at] = Math.min(MOST, count - ofReader);
    else if (ofReader === 0 && isUncertain) doubtful.push(at);
    else if (count >= MOST) full.push(at);
    else (isUncertain ? unclear : unknown).push(at);
  }

  // These counts may include messages that the reader has sent since their own messages were read.
  const laterOwn = await authoredIn(db, placesOf(of, doubtful));
  for (const at of doubtful) {
    if (laterOwn.get(channelIds[at] as string) !== 0) unclear.push(at);
    else counts.unread[at] = Math.min(MOST, amounts.counts[at] as number);
  }
  const authored = await authoredAfter(db, state, seq, placesOf(of, unknown));
  for (const [place, at] of unknown.entries()) {
    const ofReader = authored[place];
    const count = amounts.counts[at] as number;
    if (ofReader === undefined || ofReader > count) unclear.push(at);
    else counts.unread[at] = count - ofReader;
  }
  // If some of `MOST` messages are the reader's own, more than `MOST` have to be counted.
  await scanFurther(of, counts, own ? [unclear, full] : [[...unclear, ...full], []]);
  await addMentions(of, counts);
  await countSwept(of, counts, swept);
  return counts;
}

/** Counts the visible messages in channels that are being swept, up to a limit per channel. */
async function countSwept(of: CountsOf, counts: Counts, swept: Channels): Promise<void> {
  for (let at = 0; at < swept.length; at += EXAMINED_CHANNELS) {
    const some = swept.slice(at, at + EXAMINED_CHANNELS);
    const places = placesOf(of, some);
    const found = await of.db.inTurn((db) => db.all(looks(db.dialect, places)));
    for (const { channelId, unread, mentions } of found) {
      const channel = some[places.findIndex((place) => place.channelId === channelId)] as number;
      counts.unread[channel] = Number(unread);
      counts.mentions[channel] = Number(mentions);
    }
  }
}

/**
 * Counts all messages and the reader's own, more in each round, until it is clear how many are from others.
 * `starts` has the channels that start with each round.
 */
async function scanFurther(of: CountsOf, counts: Counts, starts: readonly Channels[]): Promise<void> {
  const { db, state } = of;
  let left: number[] = [];
  for (const [round, statement] of scans.entries()) {
    const some = [...left, ...(starts[round] ?? [])];
    left = [];
    if (some.length === 0) continue;
    const places = new Map(placesOf(of, some).map((place, index) => [place.channelId, { ...place, index }]));
    const most = FURTHER[round] as number;
    const { seq } = state;
    for (const { channelId, all, own } of await db.all(statement(db.dialect, [...places.values()]))) {
      const { from, index } = places.get(channelId) as CountStart & { index: number };
      const unread = Math.min(MOST, Number(all) - Number(own));
      if (state.seq === seq && Number(all) > MOST) state.counts.learnFar(channelId, from, Number(all));
      // Either all messages were counted, or there are enough from others regardless of the reader's own.
      if (Number(all) < most || unread === MOST) counts.unread[some[index] as number] = unread;
      else left.push(some[index] as number);
    }
  }
}

/**
 * Counts the reader's own messages after the markers, in the order of the places. Returns nothing if the
 * server's log has advanced past `seq` in the meantime, because these counts may then not match the counts of
 * all messages.
 */
async function authoredAfter(
  db: Reader,
  { serverId }: ServerState,
  seq: number,
  places: readonly CountStart[],
): Promise<readonly (number | undefined)[]> {
  if (places.length === 0) return [];
  const own = await authoredIn(db, places);
  if ((await latestPosition(db, serverId)).seq !== seq) return [];
  return places.map(({ channelId }) => own.get(channelId));
}

/** Counts the reader's own messages after the markers, by channel. */
async function authoredIn(db: Reader, places: readonly CountStart[]): Promise<ReadonlyMap<string, number>> {
  if (places.length === 0) return new Map();
  const found = await db.all(authored(db.dialect, places));
  return new Map(found.map(({ channelId, own }) => [channelId, Number(own)]));
}

/** Returns the channels in which messages are due to be swept. */
async function sweptAmong({ db, state, channelIds, isRead }: CountsOf): Promise<Channels> {
  const ids = await state.swept(db);
  if (ids.size === 0) return [];
  return [...channelIds.keys()].filter((at) => ids.has(channelIds[at] as string) && !isRead(at));
}

/**
 * The number of messages after each marker, as returned by `ChannelCounts.after`. Omits the channels in
 * `swept`.
 */
class Amounts {
  readonly counts: Uint32Array;
  readonly #of: CountsOf;
  readonly #swept: ReadonlySet<number>;
  /** Counts that could not be cached, because they were not read at the state's position. */
  readonly #others = new Map<number, number>();
  /** The position of the counts; undefined if some are missing. */
  #seq: number | undefined;

  constructor(of: CountsOf, swept: Channels) {
    this.counts = new Uint32Array(of.channelIds.length);
    this.#of = of;
    this.#swept = new Set(swept);
  }

  /** Updates all counts to the current position of the state. Returns the channels that have to be counted. */
  missing(): number[] {
    const { state, channelIds, markers, isRead } = this.#of;
    const missing: number[] = [];
    if (this.#seq === state.seq) return missing;
    for (let at = 0; at < channelIds.length; at++) {
      if ((this.#swept.size > 0 && this.#swept.has(at)) || isRead(at)) continue;
      const known = state.counts.after(channelIds[at] as string, markers[at] as string);
      if (known !== undefined) this.#others.delete(at);
      const count = known ?? this.#others.get(at);
      if (count === undefined) missing.push(at);
      else this.counts[at] = count;
    }
    this.#seq = missing.length === 0 ? state.seq : undefined;
    return missing;
  }

  /** Whether a count may have been read at a position other than the state's. */
  isUncertain(at: number): boolean {
    return this.#others.has(at);
  }

  async read(missing: Channels): Promise<void> {
    const { db, state, channelIds, markers } = this.#of;
    for (let first = 0; first < missing.length; first += COUNTED_CHANNELS)
      await db.inTurn(async (db) => {
        const left = new Map<string, number>();
        for (const at of missing.slice(first, first + COUNTED_CHANNELS)) {
          const channelId = channelIds[at] as string;
          // Another request may have counted the messages while this one was queued.
          if (state.counts.after(channelId, markers[at] as string) === undefined) left.set(channelId, at);
        }
        if (left.size === 0) return;
        const { seq } = state;
        const places = [...left].map(([channelId, at]) => ({ channelId, from: markers[at] as string }));
        const counts = await db.all(countsAfter(db.dialect, places));
        // Counts that include messages after the state's position do not match the state.
        const { seq: end } = await latestPosition(db, state.serverId);
        for (const found of counts) {
          const counted = { ...found, count: Number(found.count) };
          if (state.seq === seq && end === seq) state.counts.learn(counted);
          this.#others.set(left.get(counted.channelId) as number, counted.count);
        }
      });
  }
}

/** Adds unread mentions to the channels that have unread messages. */
async function addMentions(of: CountsOf, counts: Counts): Promise<void> {
  const { db, channelIds, markers, mentions: known } = of;
  if (known?.length === 0) return;
  if (known) {
    const indexes = new Map(channelIds.map((id, at) => [id, at]));
    for (const { channelId, messageId } of known) {
      const at = indexes.get(channelId);
      if (at === undefined || counts.unread[at] === 0 || messageId <= (markers[at] as string)) continue;
      counts.mentions[at] = Math.min(MOST, (counts.mentions[at] as number) + 1);
    }
    return;
  }
  const some = [...channelIds.keys()].filter((at) => (counts.unread[at] as number) > 0);
  const indexes = new Map(some.map((at) => [channelIds[at] as string, at]));
  if (some.length === 0) return;
  for (const { channelId, mentions } of await db.all(mentionsAfter(db.dialect, placesOf(of, some))))
    counts.mentions[indexes.get(channelId) as number] = Number(mentions);
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
