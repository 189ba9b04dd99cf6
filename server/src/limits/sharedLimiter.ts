/**
 * Rate limiting across nodes. Valkey holds one sliding-window log per subject (a list of timestamps), and a
 * Lua script checks and takes slots atomically, so the limit is exact across all nodes. Requests are batched:
 * those that arrive in the same turn of the event loop, or during a round trip, share the next call.
 *
 * Failure modes:
 *
 * - Valkey is down: each node fails over to an in-memory limiter with its share, `limit / nodes` rounded up.
 *   The share starts with the slots the node has already used (`History`), so a failover gives nobody a fresh
 *   window.
 * - Valkey returns with its data: nodes report the requests they accepted in between as soon as they
 *   reconnect.
 * - Valkey returns empty, which its mark reveals: nodes report everything in the window. For `REPORT_MS` the
 *   shared window may be incomplete, so a request needs a slot of the local share as well.
 *
 * Invariants: while all nodes reach Valkey, no window has more accepted requests than the limit. A node that
 * cannot reach it adds at most its share. A rejected request takes no slot. A failure of Valkey never fails a
 * request.
 */

import { randomUUID } from 'node:crypto';
import type { Script, Valkey } from '../lib/valkey.ts';
import { History } from './history.ts';
import { CEILING_MARK, markScript, takeScript } from './scripts.ts';
import { type Ceiling, type Limiter, MemoryLimiter, type Verdict } from './slidingWindow.ts';

/**
 * Maximum requests per call, each with one or two windows. A script blocks Valkey while it runs, so calls
 * are kept short.
 */
const MAX_CALL_SUBJECTS = 256;
/** How long nodes have to reconnect and report after Valkey has lost its data. */
const REPORT_MS = 3_000;
/** Delay before a retry if Valkey failed to return its mark. */
const RETRY_MS = 250;
export interface SharedLimiterOptions {
  /** Prefix of every key. */
  prefix: string;
  /** The length of the window, in milliseconds. */
  window: number;
  /** Returns the number of nodes that share the limits; at least 1. */
  nodes(): number;
  /** Returns the time on the clock that is used while Valkey is down, in milliseconds. */
  now(): number;
}

/** Combines the script's results for a window and its ceiling. */
function verdictOf(left: number, resetMs: number, over?: { left: number; resetMs: number }): Verdict {
  const isUnder = !over || over.left >= 0;
  const verdict = { accepted: left >= 0 && isUnder, remaining: Math.max(0, left), resetMs };
  return isUnder ? verdict : { ...verdict, ceilingMs: over.resetMs };
}

interface Take extends Ceiling {
  ceiling: Ceiling | undefined;
  /** The verdict of the local share, if the request also needed a slot there. */
  part: Verdict | undefined;
  resolve(verdict: Verdict): void;
}

/** One of the windows in a call to Valkey. */
interface Called extends Ceiling {
  isCeiling?: true;
}

/** The cluster-wide rate limiter, with a local fallback (see the top of the file). */
export class SharedLimiter implements Limiter {
  readonly #valkey: Valkey;
  readonly #options: SharedLimiterOptions;
  readonly #script: Script;
  readonly #mark: Script;
  readonly #history: History;
  /** Enforces this node's share of each limit; undefined while Valkey alone decides. */
  #own: MemoryLimiter | undefined;
  #takes: Take[] = [];
  #isCalling = false;
  /** The mark of the Valkey instance that has this node's reports. */
  #known: string | undefined;
  /** A promise that is pending until Valkey has returned its mark. Requests wait for it. */
  #meeting: Promise<void> | undefined;
  /** Until this time, in milliseconds, the shared windows may be incomplete. */
  #incompleteUntil = Number.NEGATIVE_INFINITY;

  constructor(valkey: Valkey, options: SharedLimiterOptions) {
    this.#valkey = valkey;
    this.#options = options;
    this.#script = valkey.script(takeScript);
    this.#mark = valkey.script(markScript);
    this.#history = new History(options.window, options.now);
    valkey.onUp(() => this.#meet());
  }

  take(subject: string, limit: number, ceiling?: Ceiling): Verdict | Promise<Verdict> {
    if (!this.#valkey.up) return this.#takeHere(subject, limit, ceiling);
    if (this.#meeting) return this.#meeting.then(() => this.take(subject, limit, ceiling));
    const isIncomplete = this.#options.now() < this.#incompleteUntil;
    const part = isIncomplete ? this.#takePart(subject, limit, ceiling) : undefined;
    if (part?.accepted === false) return part;
    return new Promise((resolve) => {
      if (this.#takes.length === 0 && !this.#isCalling) setImmediate(() => this.#takeAll());
      this.#takes.push({ subject, limit, ceiling, part, resolve });
    });
  }

  /** Checks whether Valkey still has its data after a (re)connect, and reports what is missing. */
  #meet(): void {
    const meeting = this.#askForMark();
    this.#meeting = meeting;
    void meeting.then(() => {
      if (this.#meeting === meeting) this.#meeting = undefined;
      return this.#reportAll();
    });
  }

  async #askForMark(): Promise<void> {
    try {
      const mark = String(await this.#mark([`${this.#options.prefix}mark`], [randomUUID()]));
      const hasForgotten = this.#known !== undefined && this.#known !== mark;
      this.#known = mark;
      if (hasForgotten) this.#history.forgotten();
      this.#incompleteUntil = hasForgotten ? this.#options.now() + REPORT_MS : Number.NEGATIVE_INFINITY;
    } catch {
      // Until the mark is known, the data is assumed to be lost.
      if (this.#known !== undefined) this.#incompleteUntil = Number.POSITIVE_INFINITY;
      if (this.#valkey.up) setTimeout(() => this.#meet(), RETRY_MS).unref();
    }
  }

  /** Reports accepted requests in batches until none are left or Valkey fails again. */
  async #reportAll(): Promise<void> {
    for (;;) {
      const subjects = this.#history.unreported(MAX_CALL_SUBJECTS);
      if (subjects.length === 0) return;
      if (!(await this.#call(subjects.map((subject) => ({ subject, limit: 0 }))))) return;
    }
  }

  /** Takes a slot from this node's share of the limit. */
  #takePart(subject: string, limit: number, ceiling: Ceiling | undefined): Verdict {
    const { window, now } = this.#options;
    const nodes = this.#options.nodes();
    const own = this.#own ?? new MemoryLimiter(window, now);
    this.#own = own;
    const partOf = (subject: string, limit: number): Ceiling => {
      const part = Math.ceil(limit / nodes);
      own.begin(subject, part, () => this.#history.ages(subject, nodes));
      return { subject, limit: part };
    };
    const { limit: part } = partOf(subject, limit);
    return own.take(subject, part, ceiling && partOf(ceiling.subject, ceiling.limit));
  }

  #takeHere(
    subject: string,
    limit: number,
    ceiling: Ceiling | undefined,
    verdict = this.#takePart(subject, limit, ceiling),
  ): Verdict {
    if (!verdict.accepted) return verdict;
    this.#history.accepted(subject, false);
    if (ceiling) this.#history.accepted(ceiling.subject, false);
    return verdict;
  }

  async #takeAll(): Promise<void> {
    this.#isCalling = true;
    while (this.#takes.length > 0) {
      const takes = this.#takes;
      this.#takes = [];
      const calls: Promise<void>[] = [];
      for (let start = 0; start < takes.length; start += MAX_CALL_SUBJECTS) {
        calls.push(this.#takeSome(takes.slice(start, start + MAX_CALL_SUBJECTS)));
      }
      await Promise.all(calls);
    }
    this.#isCalling = false;
  }

  async #takeSome(takes: Take[]): Promise<void> {
    const windows = takes.flatMap(({ subject, limit, ceiling }): Called[] =>
      ceiling
        ? [
            { subject, limit },
            { ...ceiling, isCeiling: true },
          ]
        : [{ subject, limit }],
    );
    const answers = await this.#call(windows);
    if (answers && this.#options.now() >= this.#incompleteUntil) this.#own = undefined;
    let at = 0;
    const next = ({ subject, limit }: Ceiling) => {
      const left = answers?.[at++] as number;
      this.#history.heard(subject, limit - Math.max(0, left));
      return { left, resetMs: answers?.[at++] as number };
    };
    for (const { subject, limit, ceiling, part, resolve } of takes) {
      if (!answers) {
        resolve(this.#takeHere(subject, limit, ceiling, part));
        continue;
      }
      const { left, resetMs } = next({ subject, limit });
      const verdict = verdictOf(left, resetMs, ceiling && next(ceiling));
      if (verdict.accepted) {
        this.#history.accepted(subject, true);
        if (ceiling) this.#history.accepted(ceiling.subject, true);
      }
      resolve(verdict);
    }
  }

  /**
   * Makes one round trip for several windows, and reports each window's unreported requests. Returns
   * undefined if Valkey fails.
   */
  async #call(windows: readonly Called[]): Promise<number[] | undefined> {
    const { prefix, window } = this.#options;
    const reported: [subject: string, amount: number][] = [];
    const args = windows.map(({ subject, limit: most, isCeiling }) => {
      const limit = isCeiling ? `${CEILING_MARK}${most}` : most;
      const unreported = this.#history.takeUnreported(subject);
      if (!unreported) return limit;
      reported.push([subject, unreported.amount]);
      return [limit, ...unreported.ages].join(' ');
    });
    try {
      const keys = windows.map(({ subject }) => prefix + subject);
      return (await this.#script(keys, [window, ...args])) as number[];
    } catch {
      for (const [subject, amount] of reported) this.#history.putBack(subject, amount);
      return undefined;
    }
  }
}
