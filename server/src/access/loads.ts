import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { Db } from '../db/contract.ts';
import type { Credential } from './credentials/index.ts';
import type { CredentialKind } from './credentials/kind.ts';

/** Credentials in one statement. */
const MAX_BATCH = 64;
/** The longest pause after a statement for those who can wait. */
const MAX_PAUSE_MS = 50;

/** What was found of a credential, as of a version of permissions that this process knew when it asked. */
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
 * Loads the rows of one kind of credential, each once for all who ask at the same time, and many with one statement.
 * What a request waits for goes at once. The rest goes in small statements, one after the other, with pauses as long as
 * these took: so many open streams leave at least half of the time to requests.
 */
export class Loads {
  readonly #db: Db;
  readonly #kind: CredentialKind<Credential>;
  /** The loads that wait or are under way, by digest. */
  readonly #open = new Map<string, Load>();
  readonly #urgent = new Set<string>();
  readonly #patient = new Set<string>();
  #isLoading = false;

  constructor(db: Db, kind: CredentialKind<Credential>) {
    this.#db = db;
    this.#kind = kind;
  }

  /** Loads the row of a digest. Throws the errors of a read. */
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

  /** The rows of credentials, by digest. */
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
