import type { Ahead } from './ahead.ts';
import type { Around } from './around.ts';
import type { Feed } from './feed.ts';
import type { Stream } from './stream.ts';
import type { Windows } from './windows.ts';

/** The first picture waits for its content no longer than this: then outlines of it are drawn. */
const LONGEST_MS = 200;

interface BeginningAround {
  ahead: Ahead;
  around: Around;
  feed: Feed;
  stream: Stream;
  windows: Windows;
  /** What this browser has kept is here. Undefined if it cannot have kept anything: then no other tab can be open, either. */
  ready: Promise<unknown> | undefined;
  isLeading(): boolean;
}

/** How a session begins: with what was asked for ahead, if this tab streams, and then with the stream. */
export class Beginning {
  /** Resolves when the first picture may be drawn: with its content, if that was asked for ahead. Undefined if it was not. */
  readonly isNear: Promise<void> | undefined;
  /** Calls off the wait: the stream, of this tab or another, has begun. */
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
    // The lock that tells which tab streams takes its time.
    if (!of.ready) this.#begun = this.#begin(server, () => true);
  }

  /** This tab streams from now on: at the cursor of the snapshot, if there was one. */
  async lead(): Promise<void> {
    const { ahead, stream, isLeading } = this.#of;
    if (ahead.server && this.#isFirst()) {
      await (this.#begun ?? this.#begin(ahead.server, isLeading));
      if (!isLeading()) return;
    }
    stream.start();
  }

  /** Puts the snapshot. Events go on at its cursor, as after a loss of the stream. */
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
