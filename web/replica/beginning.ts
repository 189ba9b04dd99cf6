import type { Ahead } from './ahead.ts';
import type { Around } from './around.ts';
import type { Feed } from './feed.ts';
import type { Stream } from './stream.ts';
import type { Windows } from './windows.ts';

/** Maximum time that the first render waits for its content before it shows a skeleton. */
const LONGEST_MS = 200;

interface BeginningAround {
  ahead: Ahead;
  around: Around;
  feed: Feed;
  stream: Stream;
  windows: Windows;
  /**
   * Resolves once the rows stored in this browser are loaded. Undefined if the browser has not stored anything
   * for the user yet: then no other tab is open either.
   */
  ready: Promise<unknown> | undefined;
  isLeading(): boolean;
}

/** Starts a session: if this tab leads, applies the reads that were started early, and then opens the stream. */
export class Beginning {
  /** Resolves when the content of the first render is available. Undefined if no reads were started early. */
  readonly isNear: Promise<void> | undefined;
  /** Stops the wait, because the stream of this tab or of another has begun. */
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
    // Does not wait for the leader lock, which takes time to acquire.
    if (!of.ready) this.#begun = this.#begin(server, () => true);
  }

  /**
   * Called when this tab becomes the leader. Opens the stream at the cursor of the snapshot, if there is
   * one.
   */
  async lead(): Promise<void> {
    const { ahead, stream, isLeading } = this.#of;
    if (ahead.server && this.#isFirst()) {
      await (this.#begun ?? this.#begin(ahead.server, isLeading));
      if (!isLeading()) return;
    }
    stream.start();
  }

  /** Stores the snapshot. The stream continues at its cursor, as after a reconnect. */
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
