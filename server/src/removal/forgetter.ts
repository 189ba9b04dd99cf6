import { Failures } from '../db/failures.ts';
import { changedSettings } from '../limits/platformSettings.ts';
import { foldNames } from '../resources/platform/foldNames.ts';
import { nameMembers } from '../resources/serverMember/lookAlike.ts';
import { convertEvents } from './convertEvents.ts';
import { eraseClosed } from './eraseClosed.ts';
import type { ErasureData } from './erasureData.ts';
import { expireMessages } from './expireMessages.ts';
import { forgetRows, type GoesOn } from './forget.ts';
import { type Forgotten, forgetEvents } from './forgetEvents.ts';
import { type FileUpkeep, forgetFiles, forgetUnsent } from './forgetFiles.ts';
import { Lease } from './lease.ts';
import { releaseHolds } from './releaseHolds.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Intervals and durations, in milliseconds. */
export interface Periods {
  /** How often this process checks whether it may run a round. */
  look: number;
  /** Interval of the leader's rounds. */
  round: number;
  /** Duration of the leader's lease, after which another process can take over. It is longer than `round`. */
  lease: number;
}

export const periods: Periods = { look: 15_000, round: 60_000, lease: 90_000 };

export interface RetentionOptions extends FileUpkeep, Pick<ErasureData, 'seal'> {
  /** Retention of the event log in days, unless a platform admin overrides it. */
  eventDays: number;
}

/**
 * Runs the rounds of background jobs (`runRound`). Only the leader does this, that is, the process that holds
 * a lease (docs/decisions/0035).
 */
export class Retention {
  readonly #options: RetentionOptions;
  readonly #periods: Periods;
  readonly #lease: Lease;
  readonly #began: () => void;
  #isOwner = false;
  /** When the next round is due, on the clock of `performance.now()`. */
  #nextRound = 0;

  /** @param began Called when this process becomes the leader. */
  constructor(
    options: RetentionOptions,
    { began = () => {}, ...rest }: Partial<Periods> & { began?: () => void },
  ) {
    this.#options = options;
    this.#periods = { ...periods, ...rest };
    this.#lease = new Lease(options.db, options.deps, 'upkeep', this.#periods.lease);
    this.#began = began;
  }

  /** Runs a round if one is due and no other process is the leader. Ends early once `signal` is aborted. */
  async look(signal: AbortSignal): Promise<void> {
    if (this.#isOwner && this.#lease.left > 0 && performance.now() < this.#nextRound) return;
    const started = performance.now();
    const held = await this.#lease.take();
    if (held && !this.#isOwner) this.#began();
    this.#isOwner = held !== undefined;
    if (!held) return;
    this.#nextRound = started + this.#periods.round;
    await runRound(this.#options, (held.progress ?? undefined) as Forgotten | undefined, {
      goesOn: () => this.#mayGoOn(signal),
      note: (done) => this.#lease.note(done),
    });
  }

  /** Steps down, so that another process can take over immediately. */
  async stop(): Promise<void> {
    if (this.#isOwner) await this.#lease.release();
  }

  /** Renews the lease during a long round. */
  async #mayGoOn(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    if (this.#lease.left < this.#periods.lease / 2) await this.#lease.take();
    return this.#lease.left > 0;
  }
}

interface Round {
  goesOn: GoesOn;
  /** Stores the position at which the next round continues with events. */
  note(done: Forgotten): Promise<void>;
}

/**
 * Runs a round of background jobs. If a step fails, it backs off and the others run. Without `from`, starts
 * with the oldest events.
 */
export async function runRound(
  upkeep: RetentionOptions,
  from: Forgotten | undefined,
  { goesOn, note }: Round,
): Promise<void> {
  const { db, deps } = upkeep;
  const now = deps.now();
  const steps = new Failures(upkeep, 'retention');
  await forgetRows(db, now, steps, goesOn);
  await steps.guard('event', async () => {
    const { eventDays = upkeep.eventDays } = await changedSettings(db.read);
    const done = await forgetEvents(db, { until: now - eventDays * DAY_MS, now, from }, goesOn);
    if (done) await note(done);
  });
  await steps.guard('messages', () => expireMessages(upkeep, goesOn));
  await steps.guard('holds', () => releaseHolds(upkeep, goesOn));
  await steps.guard('inline', () => convertEvents(upkeep, goesOn));
  await steps.guard('folded', () => foldNames(db, goesOn));
  await steps.guard('names', () => nameMembers(db, goesOn));
  await steps.guard('closing', () => eraseClosed(upkeep, goesOn));
  await steps.guard('attachment', () => forgetUnsent(upkeep, goesOn));
  await steps.guard('fileRemoval', () => forgetFiles(upkeep, goesOn));
}
