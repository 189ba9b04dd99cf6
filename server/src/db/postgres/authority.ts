import { type AuthorityChanges, AuthorityVersions, MAX_CHANGES, type Whose } from '../authorityVersions.ts';
import { type Bound, fixed } from './compile.ts';

/**
 * The version of permissions in the database. `unnamed` counts changes by nodes that did not record the
 * affected ids.
 */
interface Versions {
  version: number;
  unnamed: number;
}

/** A row returned by the query `Question.bound`. */
interface State extends Versions {
  /** The changes; null if there are none. If there are more than `MAX_CHANGES`, the list is incomplete. */
  changes: AuthorityChanges | null;
  /** The database's time in milliseconds. */
  now: string;
}

/** Asks the database what has changed since this process last asked. */
interface Question {
  bound: Bound;
  /** Applies the response. Returns true if it equals the state that was known when the question was asked. */
  seen(state: State): boolean;
}

// `minSchema` is the minimum schema that nodes must support.
const stateAfter = fixed(`select version, version - named as unnamed, "minSchema",
  extract(epoch from clock_timestamp()) * 1000 as now,
  (select json_agg(json_build_array(id, version)) from (select id, version from "authorityChange"
    where version > $1 limit ${MAX_CHANGES + 1}) as newer) as changes
  from authority`);

// The row in `authority` stays locked until the commit, so that versions become visible in order.
const raise =
  fixed(`with raised as (update authority set version = version + 1, named = named + 1 returning version),
  noted as (insert into "authorityChange" (id, version) select id, version from unnest($1::uuid[]) as id, raised
    on conflict (id) do update set version = excluded.version)
  select version from raised`);

/**
 * Assigns a version to a transaction's changes, given the ids they affect. The returned row contains the
 * version.
 */
export const raiseFor = (ids: Iterable<string>): Bound => ({ ...raise, values: [`{${[...ids]}}`] });

/** Caches the versions of permissions in this process. */
export class Authority {
  readonly #versions = new AuthorityVersions();
  /** The database's state at the last poll; undefined if the database may have been replaced since. */
  #known: Versions | undefined;
  #tell: (changes: AuthorityChanges) => void = () => {};

  get version(): number {
    return this.#versions.latest;
  }

  hasChanged(version: number, whose: Whose): boolean {
    return this.#versions.hasChanged(version, whose);
  }

  onChange(tell: (changes: AuthorityChanges) => void): void {
    this.#tell = tell;
  }

  ask(): Question {
    const since = this.#known;
    return {
      bound: { ...stateAfter, values: [since?.version ?? null] },
      seen: (state) => this.#see(state, since),
    };
  }

  /** Applies changes that the database may not have reported yet. Without changes, invalidates everything. */
  noticed(changes: AuthorityChanges | undefined): void {
    if (changes) this.#versions.changed(changes);
    else this.#versions.allChanged();
  }

  /**
   * Call this when the database is unreachable. Its data may change in the meantime, or it may be a different
   * database afterwards.
   */
  lost(): void {
    this.#known = undefined;
    this.#versions.allChanged();
  }

  /**
   * Call this after a transaction has committed. If the outcome of the commit is unknown, omit the version.
   */
  committed(ids: ReadonlySet<string>, version = 0): void {
    // Principals cached during the transaction were read before its commit, so they are invalidated.
    const changes = [...ids].map((id) => [id, version] as const);
    this.#versions.changed(changes);
    this.#tell(changes);
  }

  /**
   * Applies the response to a question. `since` is the state that was known when the question was asked;
   * concurrent polls may have read a newer one.
   */
  #see({ version, unnamed, changes }: State, since: Versions | undefined): boolean {
    if (since?.version === version && since.unnamed === unnamed) return true;
    const isReplaced = since !== undefined && version < since.version;
    const named = changes ?? [];
    if (!since || isReplaced || unnamed !== since.unnamed || named.length > MAX_CHANGES) {
      this.#versions.allChanged();
    } else {
      this.#versions.changed(named);
    }
    if (!this.#known || isReplaced || version > this.#known.version) this.#known = { version, unnamed };
    return false;
  }
}
