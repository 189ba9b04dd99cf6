import type { Around } from './around.ts';
import type { Begun } from './marks.ts';
import type { Replica } from './replica.ts';
import { mayChangeSight } from './sight.ts';
import type { Block } from './stream.ts';
import type { Api, LiveEvent, Records } from './types.ts';

/** The number of snapshots read in parallel. */
const AT_ONCE = 3;
const PAUSE_MS = 2_000;

export interface FeedAround {
  replica: Replica;
  api: Api;
  around: Around;
  /** Called when an event has been applied to the replica. */
  applied(event: LiveEvent): void;
  /** Called when a snapshot has been stored in the replica. */
  read(snapshot: Records['Snapshot'], begun: Begun): void;
  /**
   * Called when a server's events were missed and the contents of its channels dropped. Null means the
   * user's own log.
   */
  missed(serverId: string | null): void;
  left(serverId: string): void;
  /** Called when the stream opens, with the user's id. */
  opened(userId: string): void;
}

/**
 * Applies the stream's blocks, received by this tab or from the leader tab, and reads the snapshots they
 * require.
 */
export class Feed {
  readonly #cursors = new Map<string, string>();
  /**
   * Servers whose snapshot has to be read, and the reads in flight. The value is true if the snapshot has
   * to be read once more afterwards.
   */
  readonly #queue = new Set<string>();
  readonly #reading = new Map<string, boolean>();
  readonly #of: FeedAround;
  #userId: string | undefined;

  constructor(of: FeedAround) {
    this.#of = of;
  }

  /** The cursor of each log, by server id, or by user id for the user's own log. */
  get cursors(): ReadonlyMap<string, string> {
    return this.#cursors;
  }

  /**
   * Discards the cursor of a log: the next stream starts after the log's latest event, and the server's snapshot is
   * read. Null means the user's own log.
   */
  skip(serverId: string | null): void {
    const logId = serverId ?? this.#userId;
    if (logId !== undefined && this.#cursors.has(logId)) this.#cursors.set(logId, '');
  }

  get isBooted(): boolean {
    return this.#userId !== undefined;
  }

  /** Loads the names of all servers from the list of servers, without waiting for their snapshots. */
  async nameServers(): Promise<void> {
    const { replica, api } = this.#of;
    const begun = replica.marks.begin();
    try {
      for await (const { roleIds: _r, flags: _f, isServerCreator: _c, ...server } of api('none').ownServers())
        if (this.#cursors.has(server.id)) replica.reading(begun, { server: [server] });
    } catch {
      // A failure does not matter: the snapshots contain the names, too.
    } finally {
      replica.marks.end(begun);
    }
  }

  /** Moves this server to the front of the queue, if its snapshot must be read. */
  hurry(serverId: string): void {
    if (!this.#queue.delete(serverId)) return;
    const others = [...this.#queue];
    this.#queue.clear();
    for (const id of [serverId, ...others]) this.#queue.add(id);
  }

  /**
   * Starts from a snapshot that was read before the stream. The stream then continues at its cursor, as
   * after a reconnect.
   */
  begin(snapshot: Records['Snapshot']): void {
    const { replica, read } = this.#of;
    const { id } = snapshot.server;
    this.#cursors.set(id, snapshot.cursor);
    replica.userId = snapshot.user.id;
    replica.opened(id, snapshot.cursor);
    const begun = replica.marks.begin();
    replica.snapshot(begun, snapshot);
    read(snapshot, begun);
    replica.marks.end(begun);
  }

  take({ event, data }: Block): void {
    if (event === 'opening') this.#open(data.userId, data.cursors);
    else if (event === 'joined') {
      this.#cursors.set(data.serverId, data.cursor);
      this.#of.replica.begin(data.serverId);
      this.#read(data.serverId);
    } else if (event === 'left') this.#leave(data.serverId);
    else if (event === 'cursors') {
      for (const [id, cursor] of Object.entries(data.cursors as Record<string, string>))
        if (this.#cursors.has(id)) this.#cursors.set(id, cursor);
    } else if (event === 'message') this.#apply(data);
    // `opening` handles resets: its cursor then differs from the one that was sent.
  }

  #open(userId: string, cursors: Readonly<Record<string, string>>): void {
    const { replica, missed, opened } = this.#of;
    const isFirst = !this.isBooted;
    this.#userId = userId;
    replica.userId = userId;
    for (const id of new Set([...this.#cursors.keys(), ...replica.states.keys()]))
      if (cursors[id] === undefined && id !== userId) this.#leave(id);
    opened(userId);
    for (const [id, cursor] of Object.entries(cursors)) {
      const known = this.#cursors.get(id);
      this.#cursors.set(id, cursor);
      if (known === cursor) continue;
      if (id === userId) {
        if (known !== undefined) missed(null);
        continue;
      }
      if (replica.states.has(id)) this.#missed(id);
      else if (isFirst) replica.opened(id, cursor);
      else replica.begin(id);
      this.#read(id);
    }
  }

  #missed(serverId: string): void {
    this.#of.replica.drop(serverId, false);
    this.#of.missed(serverId);
  }

  #leave(serverId: string): void {
    this.#cursors.delete(serverId);
    this.#queue.delete(serverId);
    this.#of.replica.drop(serverId, true);
    this.#of.left(serverId);
  }

  #apply(event: LiveEvent & { serverId: string | null }): void {
    const logId = event.serverId ?? this.#userId;
    // This event was in flight when the user left the server or the server was deleted.
    if (event.serverId && !this.#cursors.has(event.serverId)) return;
    if (event.id && logId) this.#cursors.set(logId, event.id);
    // Imported rows emit no events of their own, so the server's snapshot has to be read again.
    const isImport = event.type === 'import.finished' && event.serverId !== null;
    if (isImport && event.serverId) this.#missed(event.serverId);
    const isSight = this.#of.replica.apply(event);
    this.#of.applied(event);
    if (
      event.serverId &&
      (isSight || isImport || (this.#reading.has(event.serverId) && mayChangeSight(event.type)))
    )
      this.#read(event.serverId);
  }

  /** Queues a read of the snapshot. If one is in flight, the snapshot is read once more afterwards. */
  #read(serverId: string): void {
    if (this.#reading.has(serverId)) this.#reading.set(serverId, true);
    else this.#queue.add(serverId);
    this.#next();
  }

  #next(): void {
    for (const serverId of this.#queue) {
      if (this.#reading.size >= AT_ONCE) return;
      this.#queue.delete(serverId);
      this.#reading.set(serverId, false);
      void this.#readNow(serverId);
    }
  }

  async #readNow(serverId: string): Promise<void> {
    const { replica, api, read, around } = this.#of;
    try {
      await replica.read(
        () => api('none').serverSnapshot({ id: serverId }),
        (snapshot, begun) => {
          if (!this.#cursors.has(serverId)) return;
          replica.snapshot(begun, snapshot);
          read(snapshot, begun);
        },
      );
    } catch (error) {
      const { status } = error as { status?: number };
      // A refusal means that the user left, which the stream reports, or signed out, which stops the
      // stream. Any other failure is treated as temporary: retry.
      if (status !== 401 && status !== 403 && status !== 404)
        around.after(PAUSE_MS * (1 + around.random()), () => {
          if (this.#cursors.has(serverId)) this.#read(serverId);
        });
    }
    // Reads the snapshot again even after a refusal, because the user may have left and rejoined in the
    // meantime.
    if (this.#reading.get(serverId) && this.#cursors.has(serverId)) this.#queue.add(serverId);
    this.#reading.delete(serverId);
    this.#next();
  }
}
