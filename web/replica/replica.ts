import { type Begun, Marks } from './marks.ts';
import { newTables, nouns, ofChannels, ofMessages, ofPerson, ofSnapshots, type Tables } from './nouns.ts';
import { changesSight, isOwnAlone, mayChangeSight, wasHidden } from './sight.ts';
import type { Table } from './table.ts';
import type { Followers, Indexes, LiveEvent, Noun, OwnNoun, Records, Rows, ServerState } from './types.ts';

/** Rows from a response, by noun. */
export type SomeRows = { readonly [N in Noun]?: readonly Rows[N][] };

/** A row with the ids of its channel and server. */
interface Placed {
  id: string;
  channelId?: string | null;
  serverId?: string | null;
}

/**
 * One user's view of their servers. Reads fill it and events update it: `reading` skips each row that an
 * event changed or removed since the read began.
 */
export class Replica {
  /** The user's roles and limits, by server. */
  readonly states = new Map<string, ServerState>();
  readonly marks = new Marks();
  /** The user's id. Set by a snapshot that was read before the stream, or by the stream's `opening` block. */
  userId: string | undefined;
  followers: Followers | undefined;
  readonly #tables: Tables;
  readonly #changed: (key: string) => void;
  readonly #epochs = new Map<string, number>();
  /** The cursor at which a server's events began for this page, by server. */
  readonly #openedAt = new Map<string, string>();

  /** `changed` is called with the key of each change: `message:ID`, `channel@serverId=ID`, `state:ID`. */
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

  /** The ids of a server's channels and direct messages, unordered. */
  channelIds(serverId: string): readonly string[] {
    return [...this.ids('channel', 'serverId', serverId), ...this.ids('channel', 'direct', serverId)];
  }

  count(noun: Noun): number {
    return this.#table(noun).size;
  }

  /** Runs `ask`, and passes its response to `put` with the time the read began. Rejects if `ask` does. */
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

  /**
   * Stores the rows of a response, except those that were changed or removed since the read began, or whose
   * channel or server was dropped since then.
   */
  reading(begun: Begun, rows: SomeRows): void {
    for (const [noun, found] of Object.entries(rows) as [Noun, readonly Placed[]][])
      for (const row of found)
        if (!this.marks.isNewer(`${noun} ${row.id}`, begun) && !this.#isDropped(row, begun))
          this.#table(noun).put(row);
  }

  /** Stores a snapshot. Removes rows that are missing from it. */
  snapshot(begun: Begun, { reading: _r, cursor: _c, ...snapshot }: Records['Snapshot']): void {
    const { channels, conversations, categories: category, emoji, roles: role, server, ...state } = snapshot;
    const serverId = server.id;
    this.states.set(serverId, state);
    this.#changed(`state:${serverId}`);
    // Direct messages are not removed: nobody can leave one, and the snapshot contains only the most recent
    // conversations.
    for (const [noun, rows] of [
      ['channel', channels],
      ['category', category],
      ['emoji', emoji],
      ['role', role],
    ] as const)
      this.#takeMissing(begun, noun, rows, this.ids(noun, 'serverId', serverId));
    const direct = conversations.map(({ latestMessageId: _latest, ...channel }) => channel);
    const channel = [...channels, ...direct];
    this.reading(begun, { server: [server], channel, category, emoji, role, user: [state.user] });
  }

  /** Stores the user's own rows whose ids are at least `from`. Removes rows that are missing from the response. */
  own<N extends OwnNoun>(begun: Begun, noun: N, rows: readonly Rows[N][], from = ''): void {
    const known = this.all(noun).flatMap(({ id }) => (id < from ? [] : [id]));
    this.#takeMissing(begun, noun, rows, known);
    for (const row of rows) if (!this.marks.isNewer(`${noun} ${row.id}`, begun)) this.#table(noun).put(row);
  }

  /**
   * Stores the rows of a window of messages. Returns false if the window is unusable: its channel, thread
   * or server was dropped since the read began, the channel is hidden or may have been, or the window's
   * cursor is not the one at which events begin.
   */
  view(begun: Begun, channelId: string, view: Records['ChannelView'] | Records['ThreadView']): boolean {
    const channel = this.row('channel', channelId);
    const thread = 'thread' in view ? view.thread : undefined;
    const places = thread ? [channelId, thread.id] : [channelId];
    if (!channel || places.some((id) => this.marks.isNewer(`place ${id}`, begun))) return false;
    // If the replica did not have the channel when its server was dropped, only the server is marked as
    // dropped.
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

  /**
   * Applies an event. Returns true if the server's snapshot has to be read again, because the user may see
   * more or less than before.
   */
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
    // Before the snapshot arrives, the user's roles are unknown.
    if (isSight || (state === undefined && mayChangeSight(type)))
      this.#doubt(serverId, event.type === 'sight' ? event.data.channelId : null, event.type === 'sight');
    return isSight;
  }

  /**
   * The number of times a server's rows were dropped, because events were missed or the user left. Pages reload their
   * data when it changes.
   */
  epoch = (serverId: string): number => this.#epochs.get(serverId) ?? 0;

  /**
   * The server's events begin here, because the user joined or came back. Responses to earlier requests may
   * lack previous events, which will not be sent.
   */
  begin(serverId: string): void {
    this.marks.change(`dropped ${serverId}`);
  }

  /**
   * The server's events begin here, because the page was opened. A window requested earlier is stale unless
   * it has the same cursor: only the server can order cursors.
   */
  opened(serverId: string, cursor: string): void {
    this.marks.change(`opened ${serverId}`);
    this.#openedAt.set(serverId, cursor);
  }

  /**
   * Drops a server that the user left. If events were missed instead, drops everything except what the
   * snapshot will replace.
   */
  drop(serverId: string, isLeft: boolean): void {
    this.marks.change(`dropped ${serverId}`);
    for (const id of this.channelIds(serverId)) this.#empty(id);
    for (const noun of nouns)
      for (const row of !ofPerson.has(noun) && (isLeft || !ofSnapshots.has(noun)) ? this.all(noun) : [])
        if ((noun === 'server' ? row.id : (row as { serverId?: string }).serverId) === serverId)
          this.#take(noun, row.id);
    this.#epochs.set(serverId, this.epoch(serverId) + 1);
    this.#changed(`epoch:${serverId}`);
    if (!isLeft) return;
    this.states.delete(serverId);
    this.#changed(`state:${serverId}`);
  }

  /**
   * Evicts a message that no list shows, to bound memory. It is not marked as removed, because a read may
   * bring it back.
   */
  forget(messageId: string): void {
    this.#emptyMessage(messageId);
    this.#table('message').delete(messageId);
  }

  #put(noun: Noun, row: { id: string }): void {
    // Marked even if no list shows the message, because a view in flight may be stale.
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
   * Drops the contents of the channels that may have been hidden from the user for a moment, because their events may
   * have been missed. Public channels are always visible.
   */
  #doubt(serverId: string, channelId: string | null, isLost: boolean): void {
    // A view may be in flight for a channel that the replica does not have yet.
    this.marks.change(`doubted ${serverId}`);
    if (channelId !== null) this.marks.change(`place ${channelId}`);
    for (const channel of [...this.rows('channel', 'serverId', serverId)])
      if (channel.private || channel.id === channelId) {
        if (isLost) this.#take('channel', channel.id);
        else this.#empty(channel.id);
      }
  }

  /** Removes the rows with these ids that a response lacks. */
  #takeMissing(begun: Begun, noun: Noun, rows: readonly { id: string }[], ids: readonly string[]): void {
    const shown = new Set(rows.map(({ id }) => id));
    for (const id of ids)
      if (!shown.has(id) && !this.marks.isNewer(`${noun} ${id}`, begun)) this.#take(noun, id);
  }

  /** Removes a row and its dependents, which have no events of their own. */
  #take(noun: Noun, id: string): void {
    if (noun === 'channel' || noun === 'thread') this.#empty(id);
    if (noun === 'message') this.#emptyMessage(id);
    const taken = this.#table(noun).delete(id);
    if (noun === 'message' && taken) this.followers?.messageTaken(taken as Rows['message']);
  }

  /** Drops the contents of a channel or thread. Reads of it that are in flight become unusable. */
  #empty(id: string): void {
    this.marks.change(`place ${id}`);
    this.followers?.placeTaken(id);
    for (const noun of ofChannels)
      for (const inside of this.ids(noun, 'channelId', id)) this.#take(noun, inside);
    for (const inside of this.ids('message', 'threadId', id)) this.#take('message', inside);
  }

  #emptyMessage(id: string): void {
    for (const noun of ofMessages)
      for (const inside of this.ids(noun, 'messageId', id)) this.#table(noun).delete(inside);
  }

  /** True if the contents of a row's channel or server were dropped since the read began. */
  #isDropped({ channelId, serverId }: Placed, begun: Begun): boolean {
    return (
      (channelId != null && this.marks.isNewer(`place ${channelId}`, begun)) ||
      (serverId != null && this.marks.isNewer(`dropped ${serverId}`, begun))
    );
  }

  #table(noun: Noun) {
    return this.#tables[noun] as unknown as Table<{ id: string }>;
  }
}
