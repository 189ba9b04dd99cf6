import { INDICATOR_MS } from '../db/tables/indicator.ts';
import type { LiveEventType } from './events.ts';
import type { LiveEvent } from './logged.ts';

const LOOK = 250;

/** What became of an indicator, as nodes tell each other. */
export interface LiveNews {
  type: LiveEventType;
  serverId: string;
  channelId: string | null;
  actorId: string | null;
  /** Milliseconds since the Unix epoch. */
  at: number;
  /** The record of the indicator. */
  data: { id: string; type: string; userId: string; channelId: string | null; threadId: string | null };
}

/** Tells of indicators: those that come and go, and those that nobody has renewed. */
export class Indicators {
  readonly #now: () => number;
  readonly #tell: (event: LiveEvent) => void;
  /** Those that are shown, by what they say of whom and where, in the order in which they end. */
  readonly #shown = new Map<string, { news: LiveNews; until: number }>();
  readonly #timer: NodeJS.Timeout;

  constructor(now: () => number, tell: (event: LiveEvent) => void) {
    this.#now = now;
    this.#tell = tell;
    this.#timer = setInterval(() => this.#forget(), LOOK);
    this.#timer.unref();
  }

  hear(news: LiveNews): void {
    const { id, type, userId, channelId, threadId } = news.data;
    const what = JSON.stringify([type, userId, news.serverId, channelId, threadId]);
    const before = this.#shown.get(what);
    const isSame = before?.news.data.id === id;
    if (news.type === 'indicator.deleted') {
      if (isSame) this.#shown.delete(what);
    } else {
      if (before && !isSame) this.#tellEnd(before.news, news.at);
      this.#shown.delete(what);
      this.#shown.set(what, { news, until: this.#now() + INDICATOR_MS });
    }
    this.#tell(toLiveEvent(news));
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #forget(): void {
    const now = this.#now();
    for (const [what, { news, until }] of this.#shown) {
      if (until > now) return;
      this.#shown.delete(what);
      this.#tellEnd(news, now);
    }
  }

  #tellEnd(news: LiveNews, at: number): void {
    this.#tell(toLiveEvent({ ...news, type: 'indicator.deleted', at }));
  }
}

function toLiveEvent({ type, serverId, channelId, actorId, at, data }: LiveNews): LiveEvent {
  return {
    type,
    serverId,
    channelId,
    channel: undefined,
    ownerId: undefined,
    json: JSON.stringify({ type, serverId, actorId, at, data }),
  };
}
