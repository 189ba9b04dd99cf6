import type { Ahead } from './ahead.ts';
import type { Around } from './around.ts';
import type { Feed } from './feed.ts';
import type { Stream } from './stream.ts';
import type { Windows } from './windows.ts';

/** The first render waits at most this long for its content, then shows a skeleton. */
const LONGEST_MS = 200;

interface BeginningAround {
  ahead: Ahead;
  around: Around;
  feed: Feed;
  stream: Stream;
  windows: Windows;
  /**
   * Resolves once the rows stored in this browser are loaded. Undefined if there can be none: then no other tab can be
   * open, either.
   */
  ready: Promise<unknown> | undefined;
  isLeading(): boolean;
}

/** Starts a session: with the reads started ahead, if this tab leads, then with the stream. */
export class Beginning {
  /** Resolves when the first render may happen, with its content. Undefined if nothing was read ahead. */
  readonly isNear: Promise<void> | undefined;
  /** Stops the wait: the stream, of this tab or another, has begun. */
  end = (): void => {};
  readonly #of: BeginningAround;
  readonly #window: Promise<void> | undefined;
  readonly #begun: Promise<void> | undefined;

  constructor(of: BeginningAround) {
    this.#of = of;
    const { server, channel } = of.ahead;
    if (!server) return;
    if (channel) this.#window = of.windows.ahead(channel, server.id);
    this.isNear = new Promise((resolve) => {
      this.end = resolve;
      of.around.after(LONGEST_MS, resolve);
    });
    // Acquiring the leader lock takes time.
    if (!of.ready) this.#begun = this.#begin(server, () => true);
  }

  /** This tab became the leader. Opens the stream at the cursor of the snapshot, if there is one. */
  async lead(): Promise<void> {
    const { ahead, stream, isLeading } = this.#of;
    if (ahead.server && this.#isFirst()) {
      await (this.#begun ?? this.#begin(ahead.server, isLeading));
      if (!isLeading()) return;
    }
    stream.start();
  }

  /** Puts the snapshot. The stream continues at its cursor, as after a reconnect. */
  async #begin({ snapshot }: NonNullable<Ahead['server']>, mayBegin: () => boolean): Promise<void> {
    const [answer] = await Promise.all([snapshot, this.#of.ready]);
    if (!answer || !mayBegin() || !this.#isFirst()) return;
    this.#of.feed.begin(answer);
    if (this.#window) void this.#window.then(this.end);
    else this.end();
  }

  #isFirst(): boolean {
    const { feed, stream } = this.#of;
    return feed.cursors.size === 0 && !stream.isRunning;
  }
}
