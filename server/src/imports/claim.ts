import { type AnyTimer, setTimer } from '../clock/timers.ts';
import { find } from '../db/statements.ts';
import type { Services } from '../operations/services.ts';
import type { Work } from '../operations/work.ts';
import { Lost, whileClaimed } from '../resources/claimed.ts';

/** Another node continues a job after this time without news of it, in ms. */
const LEASE_MS = { export: 60_000, import: 15_000 };

/** A claim of an export or import, which is renewed while it runs. */
export class Claim {
  readonly #services: Services;
  readonly #table: 'export' | 'import';
  readonly #note: (work: Work) => Promise<void>;
  readonly #alsoIn: () => readonly string[];
  #timer: AnyTimer;
  #last: Promise<unknown> = Promise.resolve();
  isLost = false;

  /** `note` writes how far the job has come. `alsoIn` as for `transact`. */
  constructor(
    services: Services,
    timer: AnyTimer,
    table: 'export' | 'import',
    note: (work: Work) => Promise<void>,
    alsoIn: () => readonly string[] = () => [],
  ) {
    this.#services = services;
    this.#timer = timer;
    this.#table = table;
    this.#note = note;
    this.#alsoIn = alsoIn;
  }

  /** Throws Lost. */
  check(): void {
    if (this.isLost) throw new Lost();
  }

  /** Runs a write if the claim still holds. Throws Lost. */
  within<T>(task: (work: Work) => Promise<T>): Promise<T> {
    return this.#inTurn(() => this.#write(task));
  }

  /** Runs writes one after the other: each has to know the lease that the one before has set. */
  #inTurn<T>(write: () => Promise<T>): Promise<T> {
    const written = this.#last.then(write);
    this.#last = written.catch(() => {});
    return written;
  }

  #write<T>(task: (work: Work) => Promise<T>): Promise<T> {
    const { id } = this.#timer;
    const held = async (work: Work): Promise<T> => {
      if (!(await work.db.first(find(this.#table, { id })))) throw new Lost();
      return task(work);
    };
    return whileClaimed(this.#services, this.#timer, held, this.#alsoIn());
  }

  /** Keeps the job, and notes how far it has come. Throws Lost. */
  renew(): Promise<void> {
    return this.#inTurn(async () => {
      const { id, kind, serverId } = this.#timer;
      const dueAt = await this.#write(async (work) => {
        const { db, now } = work;
        await this.#note(work);
        const until = now + LEASE_MS[this.#table];
        await setTimer(db, { id, kind, serverId, dueAt: until, now });
        return until;
      });
      this.#timer = { ...this.#timer, dueAt };
    });
  }

  /** Renews until the returned function is called. */
  keep(everyMs: number): () => void {
    const renewing = setInterval(() => {
      void this.renew().catch((error) => {
        this.isLost ||= error instanceof Lost;
      });
    }, everyMs).unref();
    return () => clearInterval(renewing);
  }
}
