import type { Around } from './around.ts';
import type { Begun } from './marks.ts';
import type { Replica } from './replica.ts';
import { mayChangeSight } from './sight.ts';
import type { Block } from './stream.ts';
import type { Api, LiveEvent, Records } from './types.ts';

/** Snapshots that are read at the same time. */
const AT_ONCE = 3;
const PAUSE_MS = 2_000;

export interface FeedAround {
  replica: Replica;
  api: Api;
  around: Around;
  /** An event, applied to the replica by now. */
  applied(event: LiveEvent): void;
  /** A snapshot, put into the replica by now. */
  read(snapshot: Records['Snapshot'], begun: Begun): void;
  /** Events of a server were missed, and what was in its channels is dropped; null: of the person's own log. */
  missed(serverId: string | null): void;
  left(serverId: string): void;
  /** The stream has begun: who the person is, and all of their servers. */
  opened(userId: string, serverIds: readonly string[]): void;
}

/** Takes the blocks of the stream, from this tab or from the one that has it, and reads the snapshots for which they ask. */
export class Feed {
  readonly #cursors = new Map<string, string>();
  /** Servers whose snapshot is to be read, in their order; and those under way, true if they have to be read once more. */
  readonly #queue = new Set<string>();
  readonly #reading = new Map<string, boolean>();
  readonly #of: FeedAround;
  #userId: string | undefined;

  constructor(of: FeedAround) {
    this.#of = of;
  }

  /** The cursor of each log: by the id of the server, and the person's own by theirs. */
  get cursors(): ReadonlyMap<string, string> {
    return this.#cursors;
  }

  /** Does not go on where a log was: the next stream begins it anew, and its snapshot is read. Null for the person's own. */
  skip(serverId: string | null): void {
    const logId = serverId ?? this.#userId;
    if (logId !== undefined && this.#cursors.has(logId)) this.#cursors.set(logId, '');
  }

  get isBooted(): boolean {
    return this.#userId !== undefined;
  }

  /** Puts all servers by one read. */
  async nameServers(): Promise<void> {
    const { replica, api } = this.#of;
    const begun = replica.marks.begin();
    try {
      for await (const { roleIds: _r, flags: _f, isServerCreator: _c, ...server } of api('none').ownServers())
        if (this.#cursors.has(server.id)) replica.reading(begun, { server: [server] });
    } catch {
      // The snapshots bring them, too.
    } finally {
      replica.marks.end(begun);
    }
  }

  /** Reads this server before the others, if it is to be read. */
  hurry(serverId: string): void {
    if (!this.#queue.delete(serverId)) return;
    const others = [...this.#queue];
    this.#queue.clear();
    for (const id of [serverId, ...others]) this.#queue.add(id);
  }

  /** Begins with a snapshot that is here before the stream, which then goes on at its cursor, as after a loss. */
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
    // A reset is told by its cursor in `opening`, which is not the one that was sent.
  }

  #open(userId: string, cursors: Readonly<Record<string, string>>): void {
    const { replica, missed, opened } = this.#of;
    const isFirst = !this.isBooted;
    this.#userId = userId;
    replica.userId = userId;
    for (const id of [...this.#cursors.keys(), ...replica.states.keys()])
      if (cursors[id] === undefined && id !== userId) this.#leave(id);
    const serverIds = Object.keys(cursors).filter((id) => id !== userId);
    opened(userId, serverIds);
    for (const [id, cursor] of Object.entries(cursors)) {
      const known = this.#cursors.get(id);
      this.#cursors.set(id, cursor);
      if (known === cursor) continue;
      if (id === userId) {
        if (known !== undefined) missed(null);
        continue;
      }
      if (replica.states.has(id)) {
        replica.drop(id, false);
        missed(id);
      } else if (isFirst) replica.opened(id, cursor);
      else replica.begin(id);
      this.#read(id);
    }
  }

  #leave(serverId: string): void {
    this.#cursors.delete(serverId);
    this.#queue.delete(serverId);
    this.#of.replica.drop(serverId, true);
    this.#of.left(serverId);
  }

  #apply(event: LiveEvent & { serverId: string | null }): void {
    const logId = event.serverId ?? this.#userId;
    // On its way when the server was over.
    if (event.serverId && !this.#cursors.has(event.serverId)) return;
    if (event.id && logId) this.#cursors.set(logId, event.id);
    const isSight = this.#of.replica.apply(event);
    this.#of.applied(event);
    if (event.serverId && (isSight || (this.#reading.has(event.serverId) && mayChangeSight(event.type))))
      this.#read(event.serverId);
  }

  /** Reads a snapshot, in its turn; once more if it is under way. */
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
      // Left meanwhile: the stream will say so. Signed out: the stream stops. Otherwise the server is out of reach for a while.
      if (status !== 401 && status !== 403 && status !== 404)
        around.after(PAUSE_MS * (1 + around.random()), () => {
          if (this.#cursors.has(serverId)) this.#read(serverId);
        });
    }
    // Also where it was refused: the person may have left, and joined again since.
    if (this.#reading.get(serverId) && this.#cursors.has(serverId)) this.#queue.add(serverId);
    this.#reading.delete(serverId);
    this.#next();
  }
}
