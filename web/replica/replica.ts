import { type Begun, Marks } from './marks.ts';
import { newTables, nouns, type Tables } from './nouns.ts';
import { changesSight, isOwnAlone, mayChangeSight, wasHidden } from './sight.ts';
import type { Table } from './table.ts';
import type { Indexes, LiveEvent, Noun, Records, Rows, ServerState } from './types.ts';

/** Rows of an answer, by noun. */
export type SomeRows = { readonly [N in Noun]?: readonly Rows[N][] };

/** What the lists of messages have to know of. */
export interface Followers {
  /** A message was put, by an event. */
  messagePut(row: Rows['message']): void;
  /** A message is away. */
  messageTaken(row: Rows['message']): void;
  /** Whatever was held of a channel or a thread is away. */
  placeTaken(id: string): void;
}

/** Put by each snapshot. */
const ofSnapshots: ReadonlySet<Noun> = new Set(['server', 'channel', 'role']);

/** A row, with the fields by which it may belong to a place. */
interface Placed {
  id: string;
  channelId?: string | null;
  serverId?: string | null;
}

type AnyTable = Table<{ id: string }>;

/**
 * What one person sees of their servers. Reads fill it, events keep it: `reading` leaves out each row that an event has changed or
 * removed since the read began. Nothing else writes to it.
 */
export class Replica {
  /** The person's standing and limits, by server. */
  readonly states = new Map<string, ServerState>();
  readonly marks = new Marks();
  /** The person; set by the stream's first block. */
  userId: string | undefined;
  followers: Followers | undefined;
  readonly #tables: Tables;
  readonly #changed: (key: string) => void;
  readonly #epochs = new Map<string, number>();
  /** By server: the cursor at which its events began with the page. */
  readonly #openedAt = new Map<string, string>();

  /** `changed` is called with the key of whatever changes: `message:ID`, `channel@serverId=ID`, `state:ID`. */
  constructor(changed: (key: string) => void) {
    this.#changed = changed;
    this.#tables = newTables(changed);
  }

  row<N extends Noun>(noun: N, id: string): Rows[N] | undefined {
    return this.#table(noun).get(id) as Rows[N] | undefined;
  }

  rows<N extends Noun>(noun: N, index: Indexes[N], value: string): readonly Rows[N][] {
    return this.#table(noun).list(index, value) as readonly Rows[N][];
  }

  ids<N extends Noun>(noun: N, index: Indexes[N], value: string): readonly string[] {
    return this.#table(noun).ids(index, value);
  }

  all<N extends Noun>(noun: N): readonly Rows[N][] {
    return [...(this.#table(noun).values() as IterableIterator<Rows[N]>)];
  }

  count(noun: Noun): number {
    return this.#table(noun).size;
  }

  /** Reads, and hands the answer to `put` with the time at which the read began. Rejects as `ask` does. */
  async read<T>(ask: () => PromiseLike<T>, put: (answer: T, begun: Begun) => void): Promise<T> {
    const begun = this.marks.begin();
    try {
      const answer = await ask();
      put(answer, begun);
      return answer;
    } finally {
      this.marks.end(begun);
    }
  }

  /** Puts the rows of an answer, unless they, or all that is in their place, are gone or were changed since the read began. */
  reading(begun: Begun, rows: SomeRows): void {
    for (const [noun, found] of Object.entries(rows) as [Noun, readonly Placed[]][])
      for (const row of found)
        if (!this.marks.isNewer(`${noun} ${row.id}`, begun) && !this.#isDropped(row, begun))
          this.#table(noun).put(row);
  }

  /** Puts the answer with a snapshot in its place. The channels and roles that it lacks are gone from sight. */
  snapshot(
    begun: Begun,
    { channels, roles, server, reading: _reading, cursor: _cursor, ...state }: Records['Snapshot'],
  ): void {
    const serverId = server.id;
    this.states.set(serverId, state);
    this.#changed(`state:${serverId}`);
    for (const [noun, rows] of [
      ['channel', channels],
      ['role', roles],
    ] as const) {
      const shown = new Set<string>(rows.map(({ id }) => id));
      for (const id of this.ids(noun, 'serverId', serverId))
        if (!shown.has(id) && !this.marks.isNewer(`${noun} ${id}`, begun)) this.#take(noun, id);
    }
    this.reading(begun, { server: [server], channel: channels, role: roles, user: [state.user] });
  }

  /**
   * Puts the rows of a window of messages. False if it is of no use: the channel, the thread or the server was dropped since the
   * read began, the channel is or may have been out of sight, or the window is of another place than that at which events begin.
   */
  view(begun: Begun, channelId: string, view: Records['ChannelView'] | Records['ThreadView']): boolean {
    const channel = this.row('channel', channelId);
    const thread = 'thread' in view ? view.thread : undefined;
    const places = thread ? [channelId, thread.id] : [channelId];
    if (!channel || places.some((id) => this.marks.isNewer(`place ${id}`, begun))) return false;
    // The channel may not have been here when its server was dropped, so that its place was not.
    if (this.marks.isNewer(`dropped ${channel.serverId}`, begun)) return false;
    if (
      this.marks.isNewer(`opened ${channel.serverId}`, begun) &&
      view.cursor !== this.#openedAt.get(channel.serverId)
    )
      return false;
    if (channel.private && this.marks.isNewer(`doubted ${channel.serverId}`, begun)) return false;
    if (thread) {
      this.reading(begun, { thread: [thread] });
      if (!this.row('thread', thread.id)) return false;
    }
    const { serverId } = channel;
    const userId = this.states.get(serverId)?.standing.userId ?? this.userId ?? '';
    const first = 'message' in view && view.message ? [view.message] : [];
    this.reading(begun, {
      message: [...first, ...view.messages],
      user: view.users,
      ...('threads' in view && { thread: view.threads }),
      reaction: view.reactions.map((row) => ({ ...row, serverId, channelId, userId })),
      pin: view.pins.map((row) => ({ ...row, serverId, channelId })),
    });
    return true;
  }

  /** Applies an event. True if the snapshot of its server has to be read anew, since the person may see more or less than before. */
  apply(event: LiveEvent): boolean {
    const { type, serverId } = event;
    const [noun, verb] = type.split('.') as [string, string | undefined];
    const data = event.data as { id: string };
    const state = this.states.get(serverId);
    const isSight = state !== undefined && changesSight(event, state.standing);
    const isHidden = event.type === 'channel.updated' && wasHidden(this.row('channel', data.id), event.data);
    if (noun in this.#tables && !isOwnAlone(event, state?.standing.userId ?? this.userId)) {
      if (verb === 'deleted') {
        this.marks.remove(`${noun} ${data.id}`);
        this.#take(noun as Noun, data.id);
      } else this.#put(noun as Noun, data);
      if (noun === 'serverMember') this.#putMember(event.data as Rows['serverMember'], verb === 'deleted');
    }
    if (isHidden) this.#empty(data.id);
    // Before the snapshot is here, nobody knows which roles are the person's.
    if (isSight || (state === undefined && mayChangeSight(type)))
      this.#doubt(serverId, event.type === 'sight' ? event.data.channelId : null, event.type === 'sight');
    return isSight;
  }

  /** How often rows of a server were dropped since events were missed: what pages have loaded has to be loaded again. */
  epoch = (serverId: string): number => this.#epochs.get(serverId) ?? 0;

  /**
   * The events of a server begin here, which they have joined or to which they are back: answers that were asked for before may lack
   * what happened until now, of which nothing tells.
   */
  begin(serverId: string): void {
    this.marks.change(`dropped ${serverId}`);
  }

  /**
   * The events of a server begin here, with the page: a window that was asked for before is older, unless it has the same cursor. Which of
   * two cursors is later, nobody but the server can tell.
   */
  opened(serverId: string, cursor: string): void {
    this.marks.change(`opened ${serverId}`);
    this.#openedAt.set(serverId, cursor);
  }

  /** Drops a server that the person has left; or, if events were missed, all but what its snapshot brings again. */
  drop(serverId: string, isLeft: boolean): void {
    this.marks.change(`dropped ${serverId}`);
    for (const id of this.ids('channel', 'serverId', serverId)) this.#empty(id);
    for (const noun of nouns)
      for (const row of isLeft || !ofSnapshots.has(noun) ? this.all(noun) : [])
        if ((noun === 'server' ? row.id : (row as { serverId?: string }).serverId) === serverId)
          this.#take(noun, row.id);
    this.#epochs.set(serverId, this.epoch(serverId) + 1);
    this.#changed(`epoch:${serverId}`);
    if (!isLeft) return;
    this.states.delete(serverId);
    this.#changed(`state:${serverId}`);
  }

  /** Lets a message go that no list shows, to bound the memory. It is not gone: a read may bring it back. */
  forget(messageId: string): void {
    for (const noun of ['reaction', 'pin'] as const)
      for (const id of this.ids(noun, 'messageId', messageId)) this.#table(noun).delete(id);
    this.#table('message').delete(messageId);
  }

  #put(noun: Noun, row: { id: string }): void {
    // Also of a message that no list shows: a view that is under way may be older.
    this.marks.change(`${noun} ${row.id}`);
    this.#table(noun).put(row);
    if (noun === 'message') this.followers?.messagePut(row as Rows['message']);
  }

  #putMember({ user, roleIds: _roleIds, ...member }: Rows['serverMember'], isGone: boolean): void {
    this.#put('user', user);
    const state = this.states.get(member.serverId);
    if (isGone || state?.standing.userId !== member.userId) return;
    this.states.set(member.serverId, { ...state, member, user });
    this.#changed(`state:${member.serverId}`);
  }

  /**
   * The person may have lost sight of a channel for a moment, and what happened then is not here: what is held of it is dropped.
   * Public channels are seen at all times.
   */
  #doubt(serverId: string, channelId: string | null, isLost: boolean): void {
    // A view may be under way of a channel that is not here yet.
    this.marks.change(`doubted ${serverId}`);
    if (channelId !== null) this.marks.change(`place ${channelId}`);
    for (const channel of [...this.rows('channel', 'serverId', serverId)])
      if (channel.private || channel.id === channelId) {
        if (isLost) this.#take('channel', channel.id);
        else this.#empty(channel.id);
      }
  }

  /** Takes a row away, with what hangs on it: that has no events of its own. */
  #take(noun: Noun, id: string): void {
    if (noun === 'channel' || noun === 'thread') this.#empty(id);
    if (noun === 'message')
      for (const beside of ['reaction', 'pin'] as const)
        for (const inside of this.ids(beside, 'messageId', id)) this.#table(beside).delete(inside);
    const taken = this.#table(noun).delete(id);
    if (noun === 'message' && taken) this.followers?.messageTaken(taken as Rows['message']);
  }

  /** Drops what is in a channel or a thread. Reads of it that are under way are of no use any more. */
  #empty(id: string): void {
    this.marks.change(`place ${id}`);
    this.followers?.placeTaken(id);
    for (const inside of this.ids('thread', 'channelId', id)) this.#take('thread', inside);
    for (const inside of this.ids('pin', 'channelId', id)) this.#take('pin', inside);
    for (const index of ['channelId', 'threadId'] as const)
      for (const inside of this.ids('message', index, id)) this.#take('message', inside);
  }

  /** What was held of its channel, or of its server, was dropped since the read began. */
  #isDropped({ channelId, serverId }: Placed, begun: Begun): boolean {
    return (
      (channelId != null && this.marks.isNewer(`place ${channelId}`, begun)) ||
      (serverId != null && this.marks.isNewer(`dropped ${serverId}`, begun))
    );
  }

  #table(noun: Noun): AnyTable {
    return this.#tables[noun] as unknown as AnyTable;
  }
}
