import { covers, cutTo, joined, type Stretch, touch, withId, withoutId } from './line.ts';
import type { Replica } from './replica.ts';
import type { Line, Rows } from './types.ts';

/**
 * The approximate number of messages cached in total. Beyond it, channels and threads that are not open are evicted.
 */
const MOST = 5_000;
/** The maximum number of messages cached for one channel or thread, and the number that remain after trimming. */
const MOST_OF_ONE = 2_000;
const LEFT_OF_ONE = 1_500;
/**
 * Room for messages outside of lines, such as replied-to messages and search results: trimming evicts lines
 * down to MOST - LOOSE.
 */
const LOOSE = 500;

interface Held {
  /** The stretch that is shown, and the stretch that reaches the latest message, if one is cached. */
  shown: Stretch;
  atEnd: Stretch | undefined;
  line: Line;
  /**
   * The message the user is looking at; messages furthest from it are evicted first. Undefined means the latest
   * message.
   */
  near: string | undefined;
}

/** A window read from the server: its range and its messages. */
export interface Window {
  from: string;
  to: string | null;
}

const lineOf = ({ ids, from, to }: Stretch): Line => ({ ids, atStart: from === '', atEnd: to === null });

/** The cached messages of each channel and thread. A channel's messages exclude those in threads. */
export class Lines {
  readonly #held = new Map<string, Held>();
  readonly #open = new Set<string>();
  readonly #replica: Replica;
  readonly #changed: (key: string) => void;
  readonly #isShown: (key: string) => boolean;
  /** Called when the messages of an open channel or thread were dropped and have to be read again. */
  lost: (id: string) => void = () => {};

  /**
   * `isShown` checks whether a key such as `message:ID` has a subscriber. Messages with one are never
   * evicted.
   */
  constructor(replica: Replica, changed: (key: string) => void, isShown: (key: string) => boolean) {
    this.#replica = replica;
    this.#changed = changed;
    this.#isShown = isShown;
  }

  get(id: string): Line | undefined {
    return this.#held.get(id)?.line;
  }

  /** The range of the stretch that is shown. */
  reach(id: string): Window | undefined {
    return this.#held.get(id)?.shown;
  }

  /**
   * True if the message's position is within the cached lines, even if the message is deleted. `show` then needs no
   * read.
   */
  isAt(id: string, messageId: string): boolean {
    const held = this.#held.get(id);
    return held !== undefined && [held.shown, held.atEnd].some((one) => one && covers(one, messageId));
  }

  get openPlaces(): readonly string[] {
    return [...this.#open];
  }

  isOpen(id: string): boolean {
    return this.#open.has(id);
  }

  open(id: string): void {
    this.#open.add(id);
  }

  close(id: string): void {
    this.#open.delete(id);
    this.trim();
  }

  look(id: string, messageId: string | undefined): void {
    const held = this.#held.get(id);
    if (held) held.near = messageId;
  }

  /**
   * Stores a window and merges it with stretches it touches. If the window touches none and `isShown` is set,
   * it replaces the stretch shown. A stretch that reaches the latest message stays cached.
   */
  put(id: string, window: Window, isShown: boolean): void {
    // Includes messages from events that arrived since the window was read.
    const ids = this.#idsIn(id, window);
    const old = this.#held.get(id);
    let stretch: Stretch = { ...window, ids };
    const apart: Stretch[] = [];
    for (const one of old ? [old.shown, old.atEnd] : [])
      if (one && touch(stretch, one)) stretch = joined(stretch, one);
      else if (one) apart.push(one);
    const hasJoined = old !== undefined && !apart.includes(old.shown);
    const shown = isShown || hasJoined || !old ? stretch : old.shown;
    const atEnd = [stretch, ...apart].find((one) => one.to === null);
    this.#set(id, shown, atEnd, old?.near);
  }

  /**
   * Shows the cached stretch that contains the message's position, or without `messageId` the one that reaches
   * the latest message. Returns false if it is not cached.
   */
  show(id: string, messageId?: string): boolean {
    const held = this.#held.get(id);
    if (!held) return false;
    const fits = (one: Stretch | undefined) =>
      one !== undefined && (messageId === undefined ? one.to === null : covers(one, messageId));
    const found = [held.shown, held.atEnd].find(fits);
    if (found) this.#set(id, found, held.atEnd, messageId);
    return found !== undefined;
  }

  /** Inserts a message from an event if the line covers its position. */
  add({ id, channelId, threadId }: Rows['message']): void {
    this.#change(threadId ?? channelId, (stretch) => withId(stretch, id));
    if (this.#replica.count('message') > MOST + LOOSE) this.trim();
  }

  remove({ id, channelId, threadId }: Rows['message']): void {
    this.#change(threadId ?? channelId, (stretch) => withoutId(stretch, id));
  }

  /** Drops the cached messages of a channel or thread. */
  drop(id: string): void {
    if (!this.#held.delete(id)) return;
    this.#changed(`line:${id}`);
    if (this.#open.has(id)) this.lost(id);
  }

  /**
   * Evicts messages beyond the limit: first those of closed channels and threads, least recently used first, then
   * messages in no line.
   */
  trim(): void {
    if (this.#replica.count('message') <= MOST) return;
    let count = [...this.#held.values()].reduce((sum, { shown }) => sum + shown.ids.length, 0);
    for (const [id, { shown }] of [...this.#held]) {
      if (count <= MOST - LOOSE) break;
      if (this.#open.has(id)) continue;
      this.#held.delete(id);
      this.#changed(`line:${id}`);
      count -= shown.ids.length;
    }
    // A read in flight may be older than an event. The event's row has to stay cached to take precedence.
    if (this.#replica.marks.isReading) return;
    const held = new Set<string>();
    for (const { shown, atEnd } of this.#held.values())
      for (const id of [...shown.ids, ...(atEnd?.ids ?? [])]) held.add(id);
    for (const { id } of this.#replica.all('message'))
      if (!held.has(id) && !this.#isShown(`message:${id}`)) this.#replica.forget(id);
  }

  #idsIn(id: string, window: Window): string[] {
    const inThread = this.#replica.ids('message', 'threadId', id);
    const ids = inThread.length > 0 ? inThread : this.#replica.ids('message', 'channelId', id);
    const isHere = (of: string) =>
      covers(window, of) && (inThread.length > 0 || this.#replica.row('message', of)?.threadId === null);
    return ids.filter(isHere).sort();
  }

  #change(id: string, change: (stretch: Stretch) => Stretch): void {
    const held = this.#held.get(id);
    if (!held) return;
    const [shown, atEnd] = [change(held.shown), held.atEnd && change(held.atEnd)];
    if (shown === held.shown && atEnd === held.atEnd) return;
    this.#set(id, shown, held.shown === held.atEnd ? shown : atEnd, held.near);
  }

  #set(id: string, shown: Stretch, atEnd: Stretch | undefined, near: string | undefined): void {
    const cut = (one: Stretch, at: string | undefined) =>
      one.ids.length > MOST_OF_ONE ? cutTo(one, LEFT_OF_ONE, at ?? '~') : one;
    const shownNow = cut(shown, near);
    const atEndNow = atEnd === undefined ? undefined : shown === atEnd ? shownNow : cut(atEnd, undefined);
    const old = this.#held.get(id);
    const isSame = old !== undefined && old.shown.ids === shownNow.ids && reachesAlike(old.shown, shownNow);
    const line = isSame ? old.line : lineOf(shownNow);
    // Reinserted last, because the map is in least-recently-used order.
    this.#held.delete(id);
    this.#held.set(id, { shown: shownNow, atEnd: atEndNow?.to === null ? atEndNow : undefined, line, near });
    if (!isSame) this.#changed(`line:${id}`);
  }
}

const reachesAlike = (one: Stretch, other: Stretch): boolean =>
  (one.from === '') === (other.from === '') && (one.to === null) === (other.to === null);
