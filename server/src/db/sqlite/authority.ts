import type { Kysely } from 'kysely';
import { type AuthorityChanges, AuthorityVersions, MAX_CHANGES, type Whose } from '../authorityVersions.ts';
import { prepare, q } from '../statements.ts';
import type { SqliteConnection } from './connection.ts';

// This table belongs to the engine and is not in `schema.ts`. `palaver migrate` does not copy it.
const own = q as unknown as Kysely<{ authorityChange: { id: string; version: number } }>;

const changesAfter = prepare((p: { version: number; limit: number }) =>
  own
    .selectFrom('authorityChange')
    .select(['id', 'version'])
    .where('version', '>', p.version)
    .orderBy('version')
    .limit(p.limit),
);

const put = prepare((p: { id: string; version: number }) =>
  own
    .insertInto('authorityChange')
    .values({ id: p.id, version: p.version })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ version: p.version })),
);

type Connection = Pick<SqliteConnection, 'scalar' | 'all' | 'run' | 'remembered'>;

/**
 * The version of permissions. It increases with each permission change, whether by this process or by another
 * one that uses the same file.
 */
export class Authority {
  readonly #connection: Connection;
  readonly #looked: () => void;
  readonly #versions = new AuthorityVersions();
  #dataVersion: unknown;
  /** The version in the file up to which this process knows all changes; undefined before the first check. */
  #known: number | undefined;
  #hasChecked = false;
  #inBatch = false;
  /** The ids of servers and users whose permissions the batch has changed. */
  readonly #changed = new Set<string>();
  /** The version of the batch's permission changes. */
  #committing = 0;
  readonly #allowCheck = () => {
    this.#hasChecked = false;
  };

  /**
   * `connection` must be the one that writes: a connection's own commits do not change its `data_version`.
   * `looked` is called after other processes have changed the file.
   */
  constructor(connection: Connection, looked: () => void = () => {}) {
    this.#connection = connection;
    this.#looked = looked;
  }

  get version(): number {
    this.look();
    return this.#versions.latest;
  }

  hasChanged(version: number, whose: Whose): boolean {
    this.look();
    return this.#versions.hasChanged(version, whose);
  }

  /** Applies changes that the engine may not have noticed. Without changes, invalidates everything. */
  noticed(changes: AuthorityChanges | undefined): void {
    if (changes) this.#versions.changed(changes);
    else this.#versions.allChanged();
  }

  /** Whether the batch has changed permissions. */
  get hasChangedInBatch(): boolean {
    return this.#changed.size > 0;
  }

  /** Call this for each change by this process, with the ids whose permissions it changes. */
  changing(ids: readonly string[]): void {
    for (const id of ids) this.#changed.add(id);
  }

  /** Call this once the write lock is held, because all changes by other processes are then visible. */
  beginBatch(): void {
    this.#hasChecked = false;
    this.#inBatch = false;
    this.look();
    this.#connection.remembered.begin();
    this.#inBatch = true;
    this.#forgetChanges();
  }

  /** Stores the ids that the batch's changes affect. Call this last in the transaction. */
  beforeCommit(): void {
    if (this.#changed.size === 0) return;
    const version = this.#stored() + 1;
    for (const id of this.#changed) this.#connection.run(put({ id, version }));
    this.#committing = version;
  }

  /** Call this after the commit. */
  committed(): void {
    // Principals cached while the batch ran were read before its commit, so they are invalidated.
    this.#versions.changed([...this.#changed].map((id) => [id, this.#committing]));
    this.#known = Math.max(this.#known as number, this.#committing);
  }

  /** Call this after the commit or the rollback. */
  endBatch(): void {
    this.#inBatch = false;
    this.#forgetChanges();
  }

  #forgetChanges(): void {
    // V8 allocates a new table even if there is nothing to clear.
    if (this.#changed.size > 0) this.#changed.clear();
  }

  /** Notices changes by other processes, once per turn of the event loop. */
  look(): void {
    // During a transaction, no other process writes. Outside of one, a single check per turn of the event
    // loop is enough, because a request that is sent after another process's change arrives in a later turn.
    if (this.#hasChecked || this.#inBatch) return;
    const dataVersion = this.#connection.scalar('pragma data_version');
    if (dataVersion !== this.#dataVersion) {
      this.#connection.remembered.forget();
      this.#look();
      this.#looked();
      this.#dataVersion = dataVersion;
    }
    this.#hasChecked = true;
    setImmediate(this.#allowCheck);
  }

  /**
   * Reads the changes made by other processes. Every process numbers its changes under the write lock, so
   * none is skipped.
   */
  #look(): void {
    if (this.#known === undefined) {
      this.#known = this.#stored();
      return;
    }
    const rows = this.#connection.all(changesAfter({ version: this.#known, limit: MAX_CHANGES + 1 }));
    const last = rows.at(-1);
    if (!last) return;
    this.#known = rows.length > MAX_CHANGES ? this.#stored() : last.version;
    if (rows.length > MAX_CHANGES) this.#versions.allChanged();
    else this.#versions.changed(rows.map(({ id, version }) => [id, version]));
  }

  #stored(): number {
    return this.#connection.scalar('select coalesce(max(version), 0) from "authorityChange"') as number;
  }
}
