import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Db } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import { q, update } from '../db/statements.ts';
import { backoffMs } from '../lib/backoff.ts';
import type { Deps } from '../lib/deps.ts';
import { late } from '../lib/late.ts';
import { Outage } from '../lib/outage.ts';
import { Pulse } from '../lib/pulse.ts';
import { repeated } from '../lib/repeated.ts';
import type { Seal } from '../lib/seal.ts';
import { HOUR_MS, letterIn } from './outbox.ts';
import type { MailSettings } from './settings.ts';
import type { Letter } from './text.ts';
import { type MailError, openTransport } from './transport.ts';

/** Poll interval for due emails, including those that other nodes did not send. */
const LOOK_MS = 15_000;
/**
 * Delay between the creation of an email and the first attempt, which leaves time to commit its transaction
 * and to send the response.
 */
const WAKE_MS = 200;
/** How long shutdown waits for running attempts. */
const STOP_TIMEOUT_MS = 4_000;
/** Maximum concurrent attempts. */
const AT_ONCE = 4;
/** Number of emails per query. */
const PAGE_ROWS = 50;
/** The backoff between attempts. The first delay is longer than an attempt can take. */
const BACKOFF = { first: 60_000, most: HOUR_MS };

/** Metrics about this node's emails. */
export class MailFigures {
  /** Attempts by outcome since the node started. A deferred email is retried; a failed one is dropped. */
  readonly outcomes = { sent: 0, deferred: 0, failed: 0 };
}

export interface MailOptions {
  db: Db;
  deps: Deps;
  seal: Seal;
  settings: MailSettings;
  figures: MailFigures;
  /** Schedules the polls. */
  pulse?: Pulse;
}

type Waiting = Pick<RowOf<'mail'>, 'id' | 'sealed' | 'attempts' | 'uselessAt' | 'failedAt'>;

/** Delivers the emails in the outbox. `outbox.ts` explains how nodes share it. */
export class MailSender {
  readonly #options: MailOptions;
  readonly #log: FastifyBaseLogger;
  readonly #looking: ReturnType<typeof repeated>;
  readonly #transport: () => ReturnType<typeof openTransport>;
  readonly #stopPolling: () => void;
  #soon: NodeJS.Timeout | undefined;
  #isStopping = false;

  constructor(options: MailOptions, log: FastifyBaseLogger) {
    this.#options = options;
    this.#log = log;
    this.#looking = repeated(() => this.#sendAll(), new Outage(log, 'sending emails'));
    this.#transport = late(() => openTransport(options.settings));
    this.#stopPolling = (options.pulse ?? new Pulse()).every(LOOK_MS, () => void this.look());
    this.look();
  }

  /** Schedules a poll for an email that is being committed. */
  wake(): void {
    if (this.#isStopping) return;
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      this.look();
    }, WAKE_MS).unref();
  }

  /** Sends due emails. Resolves once done; never rejects. */
  look(): Promise<void> {
    if (this.#isStopping) return Promise.resolve();
    // Polls again after the current run, because the email may have been created after that run's query.
    return this.#looking.run();
  }

  /**
   * For shutdown: waits briefly for running attempts. If an attempt takes longer, another node retries it.
   */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#stopPolling();
    clearTimeout(this.#soon);
    const enough = sleep(STOP_TIMEOUT_MS, undefined, { ref: false });
    await Promise.race([this.#looking.ended(), enough]);
  }

  async #sendAll(): Promise<void> {
    const { db, deps } = this.#options;
    const tried = new Set<string>();
    let isDown = false;
    while (!this.#isStopping && !isDown) {
      const due = q
        .selectFrom('mail')
        .select(['id', 'sealed', 'attempts', 'uselessAt', 'failedAt'])
        .where('dueAt', '<=', deps.now())
        .orderBy('dueAt')
        .limit(PAGE_ROWS);
      const rows = (await db.read.all(due)).filter(({ id }) => !tried.has(id));
      if (rows.length === 0) return;
      const next = rows.values();
      const run = async () => {
        for (const row of next) {
          if (this.#isStopping || isDown) return;
          tried.add(row.id);
          if (!(await this.#attempt(row))) isDown = true;
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, run));
    }
  }

  /** Makes one attempt. Returns false if the mail server is unavailable. */
  async #attempt(row: Waiting): Promise<boolean> {
    const { db, deps, seal, figures } = this.#options;
    const attempts = row.attempts + 1;
    const now = deps.now();
    if (row.uselessAt <= now) return this.#giveUp(row, 'it expired before the mail server accepted it');
    const dueAt = now + backoffMs(attempts, BACKOFF, deps);
    const claim = q
      .updateTable('mail')
      .set({ attempts, dueAt })
      .where('id', '=', row.id)
      .where('attempts', '=', row.attempts)
      .where('dueAt', 'is not', null);
    if ((await db.write((tx) => tx.count(claim))) === 0) return true;
    let letter: Letter;
    try {
      letter = letterIn(seal, row);
    } catch (error) {
      return this.#giveUp(row, (error as Error).message);
    }
    try {
      await (await this.#transport()).send(letter, row.id);
    } catch (error) {
      const { kind = '', message: reason } = error as Partial<MailError> & Error;
      if (kind === 'recipient') return this.#giveUp(row, reason);
      figures.outcomes.deferred++;
      await this.#defer(row, reason);
      return kind !== 'server';
    }
    figures.outcomes.sent++;
    await this.#end(row);
    if (row.failedAt !== null) this.#log.info({ mailId: row.id, attempts }, 'a deferred email was sent');
    return true;
  }

  /** Logs only the first failure of an email, because it may be retried for a day. */
  async #defer({ id, failedAt }: Waiting, reason: string): Promise<void> {
    const { db, deps } = this.#options;
    if (failedAt === null) this.#log.warn({ mailId: id, reason }, 'an email was deferred');
    // The email may have been dropped during the attempt.
    const failed = q.updateTable('mail').set({ failedAt: deps.now() }).where('id', '=', id);
    await db.write((tx) => tx.run(failed.where('dueAt', 'is not', null)));
  }

  async #giveUp(row: Waiting, reason: string): Promise<true> {
    this.#options.figures.outcomes.failed++;
    this.#log.warn({ mailId: row.id, reason }, 'an email could not be delivered');
    await this.#end(row);
    return true;
  }

  /** Deletes the text. The rest of the row counts towards the limits for another hour. */
  async #end({ id }: Waiting): Promise<void> {
    const { db, deps } = this.#options;
    const now = deps.now();
    const ended = update('mail', id, { sealed: null, dueAt: null, forgetAt: now + HOUR_MS, updatedAt: now });
    await db.write((tx) => tx.run(ended));
  }
}
