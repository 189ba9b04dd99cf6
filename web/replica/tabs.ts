import type { Around } from './around.ts';
import type { Block } from './stream.ts';
import type { Status } from './types.ts';

/** The part of `navigator.locks` used here. */
export interface Locks {
  request(
    name: string,
    options: { steal?: boolean; signal?: AbortSignal },
    run: () => Promise<void>,
  ): Promise<unknown>;
}

/** The part of `BroadcastChannel` used here. */
export interface Port {
  postMessage(message: unknown): void;
  onmessage: ((event: { data: unknown }) => void) | null;
  close(): void;
}

/** Page visibility. */
export interface Sight {
  isShown(): boolean;
  /** Calls `listen` on changes. Returns a function that unsubscribes. */
  listen(listen: () => void): () => void;
}

const LOCK = 'palaver-stream';
/**
 * A leader that has been silent for this long is frozen, or its stream is dead. The server sends a
 * heartbeat at least every 15 s.
 */
const SILENCE_MS = 30_000;
/** How often a new tab repeats its request until the leader responds. */
const ASK_MS = 1_000;
/** Throttle for the leader's heartbeats to other tabs: one per message would be wasteful. */
const ALIVE_MS = 5_000;
/**
 * Without locks, a page that has been hidden for this long closes its stream, which frees the connection
 * for others.
 */
const HIDDEN_MS = 30_000;

type Message =
  | { kind: 'ask' }
  | { kind: 'hello' }
  | { kind: 'lead' | 'alive'; leader: string }
  | { kind: 'here'; leader: string; to: string; opening: Block | undefined; status: Status }
  | { kind: 'block'; leader: string; block: Block }
  | { kind: 'status'; leader: string; status: Status; nextAt: number | null };

export interface TabsAround {
  /** Undefined on plain HTTP: each tab then opens its own stream while it is visible. */
  locks: Locks | undefined;
  port: Port | undefined;
  sight: Sight;
  around: Around;
  /** Nothing from another tab is applied before this resolves. */
  ready: Promise<unknown> | undefined;
  /** This tab's id. */
  id: string;
  /** Called when a message from another tab arrives. Returns true if the tab was not known. */
  met(id: string): boolean;
  /** Called when this tab becomes the leader, or stops being the leader. */
  lead(): void;
  follow(): void;
  take(block: Block): void;
  status(status: Status, nextAt: number | null): void;
  /** The current `opening` block. Undefined before the first one. */
  opening(): Block | undefined;
}

/**
 * Shares one stream among all tabs of a browser. The leader tab holds the lock, streams, and broadcasts
 * each block.
 */
export class Tabs {
  readonly #of: TabsAround;
  readonly #id: string;
  readonly #over = new AbortController();
  #leader: string | undefined;
  /**
   * True once this tab has a complete state. From then on, each block directly follows the previous one.
   */
  #isJoined = false;
  #isLeading = false;
  #isAlone = false;
  /**
   * True once a message from another tab has arrived. Until then, no blocks are broadcast, because each new tab asks
   * for the state when it opens.
   */
  #hasOthers = false;
  #saidAt = 0;
  #status: Status = 'connecting';
  #endWatch: (() => void) | undefined;
  #endAsk: (() => void) | undefined;
  #endHidden: (() => void) | undefined;
  #endSight: (() => void) | undefined;
  #release: (() => void) | undefined;

  constructor(of: TabsAround) {
    this.#of = of;
    this.#id = of.id;
  }

  get isLeading(): boolean {
    return this.#isLeading;
  }

  start(): void {
    const { locks, port, sight, ready } = this.#of;
    this.#endSight = sight.listen(() => this.#seen());
    if (!locks || !port) {
      this.#leadAlone();
      return;
    }
    // Most tabs are alone, so this tab tries to lead and starts the stream at once.
    this.#queue(false);
    void Promise.resolve(ready).then(() => this.#listen(port));
  }

  #listen(port: Port): void {
    if (this.#isAlone || this.#over.signal.aborted) return;
    port.onmessage = ({ data }) => this.#hear(data as Message & { from: string });
    this.#ask();
    this.#watch();
  }

  stop(): void {
    this.#over.abort();
    this.#endSight?.();
    this.#endWatch?.();
    this.#endAsk?.();
    this.#endHidden?.();
    this.#yield();
    this.#of.port?.close();
  }

  /** Broadcasts a block from the leader to the other tabs. */
  tell(block: Block): void {
    this.#say({ kind: 'block', leader: this.#id, block });
  }

  alive(): void {
    const now = this.#of.around.now();
    if (now - this.#saidAt < ALIVE_MS) return;
    this.#saidAt = now;
    this.#say({ kind: 'alive', leader: this.#id });
  }

  tellStatus(status: Status, nextAt: number | null): void {
    this.#status = status;
    this.#say({ kind: 'status', leader: this.#id, status, nextAt });
  }

  #queue(steal: boolean): void {
    const locks = this.#of.locks as Locks;
    let wasHeld = false;
    const hold = () =>
      new Promise<void>((release) => {
        wasHeld = true;
        this.#release = release;
        this.#lead();
      });
    // A stealing request cannot be aborted, but it is granted at once.
    const options = steal ? { steal } : { signal: this.#over.signal };
    locks.request(LOCK, options, hold).catch(() => {
      if (this.#over.signal.aborted) return;
      this.#yield();
      // Another tab stole the lock, because it got no messages from this one.
      if (wasHeld) this.#queue(false);
      // Some browsers refuse locks if storage is blocked or while the page unloads. They would also reject
      // the next request.
      else this.#leadAlone();
    });
  }

  /** Streams in this tab alone, while it is visible, because the tabs cannot detect each other. */
  #leadAlone(): void {
    this.#isAlone = true;
    if (this.#of.port) this.#of.port.onmessage = null;
    this.#endAsk?.();
    this.#endWatch?.();
    this.#seen();
  }

  #lead(): void {
    if (this.#over.signal.aborted) {
      this.#release?.();
      return;
    }
    this.#isLeading = true;
    this.#leader = this.#id;
    this.#endAsk?.();
    this.#endWatch?.();
    this.#say({ kind: 'lead', leader: this.#id });
    this.#of.lead();
  }

  #yield(): void {
    const wasLeading = this.#isLeading;
    this.#isLeading = false;
    this.#release?.();
    this.#release = undefined;
    if (!wasLeading) return;
    this.#of.follow();
    this.#watch();
  }

  #hear(message: Message & { from: string }): void {
    const { kind } = message;
    this.#hasOthers = true;
    // A new tab has to be told about all other tabs, including followers, which otherwise send nothing.
    if (this.#of.met(message.from) && kind === 'ask') this.#say({ kind: 'hello' });
    if (kind === 'hello') return;
    if (kind === 'ask') {
      const opening = this.#of.opening();
      if (this.#isLeading)
        this.#say({ kind: 'here', leader: this.#id, to: message.from, opening, status: this.#status });
      return;
    }
    if (kind === 'lead') {
      // The previous leader may not have noticed yet that it lost the lock. Its messages are ignored from
      // here on.
      if (this.#isLeading) this.#yield();
      this.#leader = message.leader;
    }
    if (this.#isLeading) return;
    if (kind === 'here' && message.to === this.#id)
      this.#join(message.leader, message.opening, message.status);
    if (message.leader !== this.#leader) return;
    this.#watch();
    if (kind === 'status') this.#of.status(message.status, message.nextAt);
    if (kind === 'block' && (this.#isJoined || message.block.event === 'opening')) {
      this.#isJoined = true;
      this.#endAsk?.();
      this.#of.take(message.block);
    }
  }

  #join(leader: string, opening: Block | undefined, status: Status): void {
    this.#leader = leader;
    this.#endAsk?.();
    if (opening && !this.#isJoined) {
      this.#isJoined = true;
      this.#of.take(opening);
    }
    this.#of.status(status, null);
  }

  #ask(): void {
    if (this.#isJoined || this.#isLeading || this.#over.signal.aborted) return;
    this.#say({ kind: 'ask' });
    this.#endAsk = this.#of.around.after(ASK_MS, () => this.#ask());
  }

  /** Waits for the leader's heartbeat. If none comes, a visible tab takes over. */
  #watch(): void {
    this.#endWatch?.();
    if (this.#isLeading || this.#isAlone || this.#over.signal.aborted) return;
    this.#endWatch = this.#of.around.after(SILENCE_MS, () => {
      if (this.#of.sight.isShown()) this.#queue(true);
      else this.#watch();
    });
  }

  #seen(): void {
    const { sight, around, lead, follow } = this.#of;
    if (!this.#isAlone) return;
    this.#endHidden?.();
    if (sight.isShown()) {
      if (this.#isLeading) return;
      this.#isLeading = true;
      lead();
    } else
      this.#endHidden = around.after(HIDDEN_MS, () => {
        this.#isLeading = false;
        follow();
      });
  }

  #say(message: Message): void {
    if (this.#over.signal.aborted && message.kind !== 'lead') return;
    if (message.kind === 'block' && !this.#hasOthers) return;
    this.#of.port?.postMessage({ ...message, from: this.#id });
  }
}
