import { INDICATOR_MS } from '../db/tables/indicator.ts';
import { Ticker } from '../lib/ticker.ts';
import type { NewLiveEvent } from './logged.ts';

/** Interval of the check for expired indicators. */
const EXPIRY_CHECK_MS = 250;

/** The fields of an indicator's record that this file uses. */
interface IndicatorData {
  id: string;
  type: string;
  userId: string;
  channelId: string | null;
  threadId: string | null;
}

/** Relays the live events of indicators, and emits `indicator.deleted` when one expires or is replaced. */
export class Indicators {
  readonly #now: () => number;
  readonly #tell: (news: NewLiveEvent) => void;
  /** Active indicators by type, user and channel or thread, in order of expiry. */
  readonly #current = new Map<string, { news: NewLiveEvent; expiresAt: number }>();
  /** Runs while there are indicators. */
  readonly #ticker = new Ticker(() => this.#expire(), EXPIRY_CHECK_MS);

  constructor(now: () => number, tell: (news: NewLiveEvent) => void) {
    this.#now = now;
    this.#tell = tell;
  }

  hear(news: NewLiveEvent): void {
    const { id, type, userId, channelId, threadId } = news.data as IndicatorData;
    const key = JSON.stringify([type, userId, news.serverId, channelId, threadId]);
    const before = this.#current.get(key);
    const isSame = (before?.news.data as IndicatorData | undefined)?.id === id;
    if (news.type === 'indicator.deleted') {
      if (isSame) this.#current.delete(key);
    } else {
      if (before && !isSame) this.#tellEnd(before.news, news.at);
      this.#current.delete(key);
      this.#current.set(key, { news, expiresAt: this.#now() + INDICATOR_MS });
      this.#ticker.start();
    }
    this.#tell(news);
  }

  close(): void {
    this.#ticker.stop();
  }

  #expire(): void {
    const now = this.#now();
    for (const [key, { news, expiresAt }] of this.#current) {
      if (expiresAt > now) return;
      this.#current.delete(key);
      this.#tellEnd(news, now);
    }
    this.#ticker.stop();
  }

  #tellEnd(news: NewLiveEvent, at: number): void {
    this.#tell({ ...news, type: 'indicator.deleted', at });
  }
}
