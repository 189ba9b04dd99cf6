import { eventStreamParser } from '../../client/src/sse.ts';
import { withSafeNames } from '../api/names.ts';
import type { Around } from './around.ts';
import { Backlog } from './backlog.ts';
import type { Connection, LiveEvent, Status } from './types.ts';

/**
 * A stream without any data for this long is treated as lost. The server sends a heartbeat at least every
 * 15 seconds.
 */
const SILENCE_MS = 20_000;
/** When the network comes back, a stream that has been silent for this long is reconnected. */
const STALE_MS = 2_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** The number of consecutive failures after which the user is notified. */
const FAILURES_TOLD = 2;

/** A block of the stream: an event, named `message`, or one of `opening`, `reset`, `joined`, `left`, `cursors`. */
export interface Block {
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: the shape follows from the name
  readonly data: any;
}

export interface StreamAround {
  /** Fetches a path relative to the base URL. */
  fetch(path: string, init: { headers: Record<string, string>; signal: AbortSignal }): Promise<Response>;
  around: Around;
  /** No block is applied before this resolves. */
  ready: Promise<unknown> | undefined;
  /** The cursors of all logs, to resume from. */
  cursors(): readonly string[];
  take(block: Block): void;
  /**
   * Called when too much of a server's log was missed to resume at its cursor. Null means the user's own log.
   */
  skip(serverId: string | null): void;
  /** Called when any data arrives, even a heartbeat. */
  alive(): void;
  status(status: Status, nextAt: number | null): void;
}

/** The state before the first connection. */
export const unconnected: Connection = {
  status: 'connecting',
  nextAt: null,
  isBooted: false,
  isListed: false,
  userId: undefined,
};

/** The single stream for all servers. It reconnects after every interruption. */
export class Stream {
  readonly #of: StreamAround;
  #running: AbortController | undefined;
  #connection: AbortController | undefined;
  #endPause: (() => void) | undefined;
  #heardAt = 0;
  #failures = 0;

  constructor(of: StreamAround) {
    this.#of = of;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  start(): void {
    if (this.#running) return;
    this.#running = new AbortController();
    this.#failures = 0;
    void this.#run(this.#running);
  }

  stop(): void {
    this.#running?.abort();
    this.#running = undefined;
    this.#connection?.abort();
    this.#endPause?.();
  }

  /**
   * Checks that the stream is alive, because the network is back, the page is visible again, or the machine
   * woke up.
   */
  wake(isOnline = false): void {
    const silence = this.#of.around.now() - this.#heardAt;
    if (silence > (isOnline ? STALE_MS : SILENCE_MS)) this.#connection?.abort();
    this.#endPause?.();
  }

  /**
   * Called when the browser reports that the network is down. Reconnects to detect quickly whether this
   * server is unreachable.
   */
  doubt(): void {
    this.#connection?.abort();
  }

  async #run(running: AbortController): Promise<void> {
    const { around, status } = this.#of;
    while (!running.signal.aborted) {
      status(this.#failures < FAILURES_TOLD ? 'connecting' : 'offline', null);
      const isSignedOut = await this.#follow();
      if (running.signal.aborted) return;
      if (isSignedOut) {
        this.#running = undefined;
        return status('signedOut', null);
      }
      const most = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures++);
      const ms = Math.round(most * (0.5 + around.random() / 2));
      status(this.#failures < FAILURES_TOLD ? 'connecting' : 'offline', around.now() + ms);
      await this.#pause(ms);
    }
  }

  /** Follows one connection until it is lost. Returns true if the user is signed out. */
  async #follow(): Promise<boolean> {
    const { around, fetch, ready, cursors, take, skip, status, alive } = this.#of;
    const connection = new AbortController();
    this.#connection = connection;
    let silence: (() => void) | undefined;
    const heard = () => {
      this.#heardAt = around.now();
      silence?.();
      silence = around.after(SILENCE_MS, () => connection.abort());
      alive();
    };
    try {
      heard();
      const after = cursors().join(',');
      const headers = { 'palaver-server': 'none', accept: 'text/event-stream' };
      const path = `/api/people/events${after && `?after=${after}`}`;
      const answer = await fetch(path, { headers, signal: connection.signal });
      if (answer.status === 401) return true;
      if (!answer.ok || !answer.body) return false;
      const backlog = after === '' ? undefined : new Backlog(answer.headers.get('date'));
      const parse = eventStreamParser();
      const decoder = new TextDecoder();
      await ready;
      const reader = (answer.body as ReadableStream<Uint8Array<ArrayBuffer>>).getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done || connection.signal.aborted) return false;
        heard();
        for (const { event, data } of parse(decoder.decode(value, { stream: true }))) {
          if (data === undefined) continue;
          const block: Block = { event: event || 'message', data: withSafeNames(JSON.parse(data)) };
          take(block);
          if (block.event === 'message') {
            const missed = block.data as LiveEvent;
            if (!backlog?.isTooLong(missed)) continue;
            skip(missed.serverId);
            return false;
          }
          if (event !== 'opening') continue;
          this.#failures = 0;
          status('live', null);
        }
      }
    } catch {
      // The connection is lost. The next one resumes at the cursors.
      return false;
    } finally {
      silence?.();
      connection.abort();
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        cancel();
        this.#endPause = undefined;
        resolve();
      };
      const cancel = this.#of.around.after(ms, end);
      this.#endPause = end;
    });
  }
}
