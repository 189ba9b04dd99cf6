import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { Db } from '../db/contract.ts';
import type { Credential } from './credentials/index.ts';
import type { CredentialKind } from './credentials/kind.ts';

/** Maximum credentials per statement. */
const MAX_BATCH = 64;
/** Longest pause after a low-priority statement. */
const MAX_PAUSE_MS = 50;

/** A loaded credential, and the version of permissions that this process knew when the load started. */
export interface Loaded {
  /** The row of `CredentialKind.byDigests`; undefined if there is no such credential. */
  row: object | undefined;
  version: number;
}

interface Load {
  promise: Promise<Loaded>;
  resolve(loaded: Loaded): void;
  reject(error: unknown): void;
}

/**
 * Batches and deduplicates loads for one kind of credential. Requests wait for urgent loads, so these are
 * sent immediately. Low-priority loads renew open streams after a change. They run as one small statement at
 * a time. Each is followed by a pause of the same length, up to `MAX_PAUSE_MS`, so that even thousands of
 * streams leave time for requests.
 */
export class Loads {
  readonly #db: Db;
  readonly #kind: CredentialKind<Credential>;
  /** Pending loads, by digest. */
  readonly #open = new Map<string, Load>();
  readonly #urgent = new Set<string>();
  readonly #patient = new Set<string>();
  #isLoading = false;

  constructor(db: Db, kind: CredentialKind<Credential>) {
    this.#db = db;
    this.#kind = kind;
  }

  /** Loads the row for a digest. Rejects if the database read fails. */
  load(digest: string, isUrgent: boolean): Promise<Loaded> {
    const open = this.#open.get(digest);
    if (!open || (isUrgent && this.#patient.delete(digest))) this.#queue(digest, isUrgent);
    if (open) return open.promise;
    const load = Promise.withResolvers<Loaded>();
    this.#open.set(digest, load);
    return load.promise;
  }

  #queue(digest: string, isUrgent: boolean): void {
    if (isUrgent) {
      if (this.#urgent.size === 0) setImmediate(() => this.#sendUrgent());
      this.#urgent.add(digest);
    } else {
      this.#patient.add(digest);
      if (!this.#isLoading) void this.#sendPatient();
    }
  }

  #sendUrgent(): void {
    while (this.#urgent.size > 0) void this.#send(take(this.#urgent));
  }

  async #sendPatient(): Promise<void> {
    this.#isLoading = true;
    await turn();
    while (this.#patient.size > 0) {
      const start = performance.now();
      await this.#send(take(this.#patient));
      await sleep(Math.min(MAX_PAUSE_MS, performance.now() - start));
    }
    this.#isLoading = false;
  }

  async #send(digests: readonly string[]): Promise<void> {
    const version = this.#db.authorityVersion();
    try {
      const found = await this.#read(digests);
      for (const digest of digests) this.#close(digest)?.resolve({ row: found.get(digest), version });
    } catch (error) {
      for (const digest of digests) this.#close(digest)?.reject(error);
    }
  }

  /** Reads the rows of credentials, by digest. */
  async #read(digests: readonly string[]): Promise<Map<string | null, object>> {
    const rows = await this.#db.read.all(this.#kind.byDigests(digests));
    return new Map(rows.flatMap((row) => this.#kind.digestsOf(row).map((digest) => [digest, row])));
  }

  #close(digest: string): Load | undefined {
    const load = this.#open.get(digest);
    this.#open.delete(digest);
    return load;
  }
}

/** Removes and returns the first digests. */
function take(digests: Set<string>): string[] {
  const first = [...digests.keys().take(MAX_BATCH)];
  for (const digest of first) digests.delete(digest);
  return first;
}
