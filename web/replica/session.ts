import { actionsOf } from './acting.ts';
import type { Actions } from './actions.ts';
import type { Ahead } from './ahead.ts';
import { type Around, ending, realAround } from './around.ts';
import { Beginning } from './beginning.ts';
import { Drafts } from './drafts.ts';
import { Feed } from './feed.ts';
import { type Kept, keptInMemory } from './kept.ts';
import { Lines } from './lines.ts';
import { Listeners } from './listeners.ts';
import { Live } from './live.ts';
import { Marking } from './marking.ts';
import type { Begun } from './marks.ts';
import { Neighbours } from './neighbours.ts';
import { Outbox } from './outbox.ts';
import { Reading } from './reading.ts';
import { Replica } from './replica.ts';
import { Stream, type StreamAround, unconnected } from './stream.ts';
import { type Schedule, Subscriptions } from './subscriptions.ts';
import { type Locks, type Port, type Sight, Tabs } from './tabs.ts';
import type { Api, Connection, LiveEvent, OutboxRow, Records, Status } from './types.ts';
import { Windows } from './windows.ts';

/** A session's dependencies. In a page, `browserAround()` provides them. */
export interface SessionOptions {
  api: Api;
  fetch: StreamAround['fetch'];
  /** Storage for the outbox and drafts that survives reloads. Memory by default. */
  kept?: Kept;
  /** False if the browser has not stored anything for the user yet. The session then does not wait for storage. */
  hasKept?: boolean;
  locks?: Locks | undefined;
  port?: Port | undefined;
  sight?: Sight;
  /** Calls `listen` when the network is back. Returns a function that unsubscribes. */
  online?: (listen: () => void) => () => void;
  /** Calls `listen` when the browser reports that the network is down. Returns a function that unsubscribes. */
  offline?: (listen: () => void) => () => void;
  /** True while the browser reports that the network is down. */
  isOffline?: () => boolean;
  /** Calls `listen` when the user may be leaving the page. Returns a function that unsubscribes. */
  leaving?: (listen: () => void) => () => void;
  schedule?: Schedule;
  around?: Around;
  /** Reads that started before the session. */
  ahead?: Ahead;
}

const never = () => () => {};
const alwaysShown: Sight = { isShown: () => true, listen: () => () => {} };

/** One user's session in one tab: the replica, its data sources, and the user's actions. Created by `startSession`. */
export class Session {
  readonly replica: Replica;
  readonly lines: Lines;
  readonly reading: Reading;
  readonly drafts: Drafts;
  readonly live: Live;
  readonly outbox: Outbox;
  readonly actions: Actions;
  readonly #subscriptions: Subscriptions;
  readonly #feed: Feed;
  readonly #stream: Stream;
  readonly #tabs: Tabs;
  readonly #neighbours: Neighbours | undefined;
  readonly #marking: Marking;
  readonly #beginning: Beginning;
  readonly #ends: (() => void)[] = [];
  readonly #listeners = new Listeners();
  #connection = unconnected;

  constructor(options: SessionOptions) {
    const { api, fetch, kept = keptInMemory(), locks, port, sight = alwaysShown } = options;
    const { schedule = queueMicrotask, hasKept = true, ahead = {} } = options;
    const around = ending(options.around ?? realAround);
    this.#ends.push(() => around.end());
    const { online = never, offline = never, leaving = never, isOffline = () => false } = options;
    // A server on this machine or in the local network may be reachable while the browser is offline.
    const isLost = () => this.#connection.status !== 'live' && isOffline();
    const id = around.id();
    const tab = locks && port && id;
    this.#subscriptions = new Subscriptions(schedule);
    const changed = (key: string) => this.#subscriptions.changed(key);
    const isShown = (key: string) => this.#subscriptions.has(key);
    this.replica = new Replica(changed);
    const { replica } = this;
    this.lines = new Lines(replica, changed, isShown);
    const lineOf = (id: string) => this.lines.get(id);
    const drafts = (serverId: string, rows: Records['Draft'][], begun: Begun) =>
      this.drafts.snapshot(begun, serverId, rows);
    const untold = (id: string) => this.#marking.untold(id);
    this.reading = new Reading({ replica, api, around, changed, lineOf, drafts, untold });
    const doubt = (serverId: string) => this.reading.doubt(serverId, null);
    this.drafts = new Drafts({ api, kept, around, changed, doubt, isLost, marks: replica.marks });
    this.live = new Live({ api, around, changed, isLost, replica });
    const arrived = (row: OutboxRow, message: Records['Message'], begun: Begun) =>
      this.#arrived(row, message, begun);
    this.outbox = new Outbox({ api, kept, around, replica, tab, changed, arrived, isLost });
    const gone = (other: string) => this.outbox.load(other);
    this.#neighbours = locks && tab ? new Neighbours({ locks, id, gone }) : undefined;
    this.#marking = new Marking({ api, around, replica, reading: this.reading, lineOf });
    replica.followers = {
      messagePut: (row) => this.lines.add(row),
      messageTaken: (row) => this.lines.remove(row),
      placeTaken: (id) => this.lines.drop(id),
    };
    this.#feed = new Feed({
      replica,
      api,
      around,
      applied: (event) => this.#applied(event),
      read: (snapshot, begun) => this.#read(snapshot, begun),
      missed: () => this.live.renew(),
      left: (serverId) => this.reading.drop(serverId),
      opened: (userId) => this.#opened(userId),
    });
    const take = (block: { event: string; data: unknown }) => this.#feed.take(block);
    // Requested before any message is sent to other tabs, because they use this lock to detect when this tab closes.
    const known = this.#neighbours?.live();
    const loaded = Promise.all([this.#takeUp(known), this.drafts.load()]);
    const ready = hasKept ? loaded : known;
    this.#stream = new Stream({
      ...{ fetch, around, ready },
      cursors: () => [...this.#feed.cursors.values()].filter((cursor) => cursor !== ''),
      skip: (serverId) => this.#feed.skip(serverId),
      take: (block) => {
        take(block);
        this.#tabs.tell(block);
      },
      alive: () => this.#tabs.alive(),
      status: (status, nextAt) => {
        this.#status(status, nextAt);
        this.#tabs.tellStatus(status, nextAt);
      },
    });
    this.#tabs = new Tabs({
      ...{ locks, port, sight, around, id, take, ready },
      met: (other) => this.#neighbours?.meet(other) ?? false,
      lead: () => void this.#beginning.lead(),
      follow: () => this.#stream.stop(),
      status: (status, nextAt) => this.#status(status, nextAt),
      opening: () => this.#opening(),
    });
    const windows = new Windows({
      ...{ replica, lines: this.lines, api, around },
      subscribe: (key, listen) => this.subscribe(key, listen),
      next: (key) => this.#subscriptions.next(key),
    });
    this.#beginning = new Beginning({
      ...{ ahead, around, feed: this.#feed, stream: this.#stream, windows },
      ready: hasKept ? loaded : undefined,
      isLeading: () => this.#tabs.isLeading,
    });
    const reconnect = () => this.#wake(true);
    const hurry = (serverId: string) => this.#feed.hurry(serverId);
    const { reading, live, outbox } = this;
    this.actions = actionsOf({
      ...{ replica, reading, drafts: this.drafts, live, outbox, marking: this.#marking },
      ...{ api, windows, hurry, reconnect },
    });
    this.#ends.push(
      online(reconnect),
      offline(() => this.#stream.doubt()),
      leaving(() => this.drafts.keep()),
      sight.listen(() => (sight.isShown() ? this.#wake(false) : this.flush())),
    );
  }

  /** Calls `listen` after the key changes, at most once per frame. Returns a function that unsubscribes. */
  subscribe(key: string, listen: () => void): () => void {
    return this.#subscriptions.subscribe(key, listen);
  }

  /** Calls `listen` with each event after applying it. Returns a function that unsubscribes. */
  onEvent(listen: (event: LiveEvent) => void): () => void {
    return this.#listeners.add(listen);
  }

  /** True in the leader tab, which has the stream. For effects that should happen once per browser. */
  get isLeading(): boolean {
    return this.#tabs.isLeading;
  }

  connection = (): Connection => this.#connection;

  /** Resolves when the first render may happen. Undefined if it may happen at once. */
  get isNear(): Promise<void> | undefined {
    return this.#beginning.isNear;
  }

  /** Connects: a leader tab opens the stream, any other tab gets its state from the leader. */
  start(): void {
    this.#tabs.start();
  }

  /** Flushes debounced markers and drafts to the server. */
  flush(): void {
    this.#marking.flush();
    this.drafts.flush();
    this.drafts.keep();
  }

  /** Stops the session, when the user signs out and in tests. */
  stop(): void {
    for (const end of this.#ends) end();
    this.#tabs.stop();
    this.#neighbours?.stop();
    this.#stream.stop();
    this.outbox.stop();
    this.drafts.stop();
    this.reading.stop();
    this.#marking.stop();
    this.live.stop();
  }

  /** Recovers from a lost stream, for example after sleep or a network failure. The stream resumes at the cursors. */
  #wake(isOnline: boolean): void {
    if (this.#tabs.isLeading && !this.#stream.isRunning) this.#stream.start();
    else this.#stream.wake(isOnline);
    this.outbox.wake();
    this.drafts.flush();
  }

  /** Takes over messages left in the browser by the previous page and by closed tabs. */
  async #takeUp(known: Promise<void> | undefined): Promise<void> {
    await Promise.all([this.outbox.load(), known]);
    if (this.#neighbours) for (const other of await this.outbox.owners()) this.#neighbours.meet(other);
  }

  #applied(event: LiveEvent): void {
    this.reading.apply(event);
    if (event.type === 'message.created') {
      this.#marking.came(event.data);
      // The snapshot lacks old direct messages.
      this.actions.meet(event.serverId, event.data.channelId).catch(() => undefined);
    }
    this.drafts.apply(event);
    this.live.apply(event);
    this.outbox.apply(event);
    this.#listeners.tell(event);
  }

  #read(snapshot: Records['Snapshot'], begun: Begun): void {
    const { reading, conversations } = snapshot;
    for (const { id, latestMessageId } of conversations) this.reading.see(id, latestMessageId ?? id);
    this.reading.snapshot(begun, reading);
    this.drafts.snapshot(begun, reading.serverId, reading.drafts);
  }

  #opened(userId: string): void {
    this.live.userId = userId;
    const isFirst = !this.#connection.isBooted;
    this.#beginning.end();
    this.#connection = { ...this.#connection, isBooted: true, userId };
    this.#subscriptions.changed('connection');
    if (isFirst) void this.#nameServers();
    this.outbox.wake();
  }

  /** Loads the names of all servers before their snapshots arrive. */
  async #nameServers(): Promise<void> {
    await this.#feed.nameServers();
    this.#connection = { ...this.#connection, isListed: true };
    this.#subscriptions.changed('connection');
  }

  /** Shows a sent message at once. A message with files waits for its event, which describes them. */
  #arrived(row: OutboxRow, message: Records['Message'], begun: Begun): void {
    if (row.attachmentIds.length > 0) return;
    const { threadId = null, replyToId = null } = row;
    const none = { editedAt: null, pinned: false, reactions: [], stream: null };
    this.replica.reading(begun, { message: [{ ...message, threadId, replyToId, ...none }] });
    const put = this.replica.row('message', message.id);
    if (put) this.lines.add(put);
  }

  #status(status: Status, nextAt: number | null): void {
    const isBack = status === 'live' && this.#connection.status !== 'live';
    this.#connection = { ...this.#connection, status, nextAt };
    this.#subscriptions.changed('connection');
    if (!isBack) return;
    this.outbox.wake();
    this.drafts.flush();
    this.live.renew();
    this.reading.renew();
  }

  #opening() {
    const { userId } = this.#connection;
    if (!this.#feed.isBooted) return undefined;
    return { event: 'opening', data: { userId, cursors: Object.fromEntries(this.#feed.cursors) } };
  }
}

/** Starts a user's session in this tab. It runs until `stop`. */
export function startSession(options: SessionOptions): Session {
  const session = new Session(options);
  session.start();
  return session;
}
