import { type Around, soon } from './around.ts';
import type { Spot } from './counts.ts';
import type { Begun } from './marks.ts';
import type { Replica } from './replica.ts';
import type { Api, Records } from './types.ts';

/** Debounce before possibly wrong counts are requested. */
const REST_MS = 400;
const REST_MOST_MS = 3_000;
/** Pause after a failed request. */
const PAUSE_MS = 3_000;
/**
 * The maximum number of channels, and of threads, named in one request. With more channels, all are
 * recounted.
 */
const MOST_NAMED = 50;

/** The counts of a server that may be wrong. Null means all channels and the notifications. */
interface Doubts {
  channels: Set<string> | null;
  /** The channel of each thread. */
  threads: Map<string, string>;
}

interface RecountAround {
  replica: Replica;
  api: Api;
  around: Around;
  put(serverId: string, answer: Records['Reading'], begun: Begun): void;
}

/**
 * Asks the server again for counts that may be wrong, and retries until it responds. Sends one request per server at
 * a time.
 */
export class Recount {
  readonly #doubts = new Map<string, Doubts>();
  readonly #asking = new Set<string>();
  readonly #of: RecountAround;
  readonly #soon: ReturnType<typeof soon>;
  #isStopped = false;

  constructor(of: RecountAround) {
    this.#of = of;
    this.#soon = soon(of.around, REST_MS, REST_MOST_MS, () => this.#askAll());
  }

  /**
   * Records that the counts of a channel may be wrong. Null means all channels and the notifications.
   */
  doubt(serverId: string, channelId: string | null): void {
    const doubts = this.#doubtsOf(serverId);
    if (channelId === null) doubts.channels = null;
    else doubts.channels?.add(channelId);
    this.#soon();
  }

  doubtThread({ serverId, channelId, threadId }: Spot): void {
    this.#doubtsOf(serverId).threads.set(threadId as string, channelId);
    this.#soon();
  }

  /** Called when a snapshot arrived: its server may now be recounted. */
  ready(): void {
    if (this.#doubts.size > 0) this.#soon();
  }

  /** Called when the user has left the server. */
  drop(serverId: string): void {
    this.#doubts.delete(serverId);
  }

  stop(): void {
    this.#isStopped = true;
    this.#soon.stop();
  }

  #doubtsOf(serverId: string): Doubts {
    const doubts = this.#doubts.get(serverId) ?? { channels: new Set(), threads: new Map() };
    this.#doubts.set(serverId, doubts);
    return doubts;
  }

  #askAll(): void {
    for (const [serverId, doubts] of [...this.#doubts]) {
      // Without a snapshot there is nothing to recount. The snapshot will contain the counts, and later
      // changes are recounted after it.
      if (this.#asking.has(serverId) || !this.#of.replica.states.has(serverId)) continue;
      this.#doubts.delete(serverId);
      void this.#ask(serverId, doubts);
    }
  }

  async #ask(serverId: string, doubts: Doubts): Promise<void> {
    const { replica, api, put, around } = this.#of;
    const threadIds = [...doubts.threads.keys()].slice(0, MOST_NAMED);
    const channelIds = new Set([
      ...(doubts.channels ?? []),
      ...threadIds.map((id) => doubts.threads.get(id)),
    ]);
    const isAll = doubts.channels === null || channelIds.size > MOST_NAMED;
    const input = {
      ...(!isAll && { channelIds: [...channelIds].join(',') }),
      ...(threadIds.length > 0 && { threadIds: threadIds.join(',') }),
    };
    this.#asking.add(serverId);
    let pause = 0;
    try {
      await replica.read(
        () => api(serverId).personReading(input),
        (answer, begun) => put(serverId, answer, begun),
      );
      for (const [threadId, channelId] of [...doubts.threads].slice(MOST_NAMED))
        this.doubtThread({ serverId, channelId, threadId });
    } catch (error) {
      const { status = 0 } = error as { status?: number };
      if (status < 400 || status >= 500 || status === 429) {
        // The failure may be temporary, so the counts still have to be requested.
        pause = PAUSE_MS;
        const now = this.#doubtsOf(serverId);
        if (doubts.channels === null) now.channels = null;
        for (const id of doubts.channels ?? []) now.channels?.add(id);
        for (const [id, channelId] of doubts.threads) now.threads.set(id, channelId);
      }
    }
    const next = () => {
      this.#asking.delete(serverId);
      if (this.#doubts.has(serverId) && !this.#isStopped) this.#soon();
    };
    if (pause > 0) around.after(pause, next);
    else next();
  }
}
