import { INDICATOR_MS } from '../db/tables/indicator.ts';
import type { LiveNews } from './logged.ts';

const LOOK_MS = 250;

/** The record of an indicator, as far as it is looked at here. */
interface Shown {
  id: string;
  type: string;
  userId: string;
  channelId: string | null;
  threadId: string | null;
}

/** Tells of indicators that come and go, and ends those that nobody has renewed. */
export class Indicators {
  readonly #now: () => number;
  readonly #tell: (news: LiveNews) => void;
  /** Indicators that are shown, by type, user and place, in the order in which they end. */
  readonly #shown = new Map<string, { news: LiveNews; until: number }>();
  readonly #timer: NodeJS.Timeout;

  constructor(now: () => number, tell: (news: LiveNews) => void) {
    this.#now = now;
    this.#tell = tell;
    this.#timer = setInterval(() => this.#forget(), LOOK_MS);
    this.#timer.unref();
  }

  hear(news: LiveNews): void {
    const { id, type, userId, channelId, threadId } = news.data as Shown;
    const key = JSON.stringify([type, userId, news.serverId, channelId, threadId]);
    const before = this.#shown.get(key);
    const isSame = (before?.news.data as Shown | undefined)?.id === id;
    if (news.type === 'indicator.deleted') {
      if (isSame) this.#shown.delete(key);
    } else {
      if (before && !isSame) this.#tellEnd(before.news, news.at);
      this.#shown.delete(key);
      this.#shown.set(key, { news, until: this.#now() + INDICATOR_MS });
    }
    this.#tell(news);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #forget(): void {
    const now = this.#now();
    for (const [key, { news, until }] of this.#shown) {
      if (until > now) return;
      this.#shown.delete(key);
      this.#tellEnd(news, now);
    }
  }

  #tellEnd(news: LiveNews, at: number): void {
    this.#tell({ ...news, type: 'indicator.deleted', at });
  }
}
