import { type AuthorityChanges, AuthorityVersions, MAX_CHANGES, type Whose } from '../authorityVersions.ts';
import { type Bound, fixed } from './compile.ts';

/** The version of permissions in the database. `unnamed` counts the changes of which nobody said whom they concern. */
interface Place {
  version: number;
  unnamed: number;
}

/** A row of `Question.bound`. */
interface State extends Place {
  /** Null for none. There may be one more than `MAX_CHANGES`, but not all then. */
  changes: AuthorityChanges | null;
  /** The database's time in milliseconds. */
  now: string;
}

/** Asks the database what has changed since this process has looked. */
interface Question {
  bound: Bound;
  /** Notes the answer. Returns true if nothing has changed since the question was made. */
  seen(state: State): boolean;
}

const stateAfter = fixed(`select version, version - named as unnamed,
  extract(epoch from clock_timestamp()) * 1000 as now,
  (select json_agg(json_build_array(id, version)) from (select id, version from "authorityChange"
    where version > $1 limit ${MAX_CHANGES + 1}) as newer) as changes
  from authority`);

// The row of `authority` stays locked until the commit, so that versions are visible in their order.
const raise =
  fixed(`with raised as (update authority set version = version + 1, named = named + 1 returning version),
  noted as (insert into "authorityChange" (id, version) select id, version from unnest($1::uuid[]) as id, raised
    on conflict (id) do update set version = excluded.version)
  select version from raised`);

/** Gives the changes of a transaction, as the ids of those whom they concern, a version. Its row has that. */
export const raiseFor = (ids: Iterable<string>): Bound => ({ ...raise, values: [`{${[...ids]}}`] });

/** The versions of permissions, as this process knows them. */
export class Authority {
  readonly #versions = new AuthorityVersions();
  /** Where the database was at the last look; undefined if it may have been replaced since. */
  #known: Place | undefined;
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

  /** Notes changes that the database may not have told of yet; all if left out. */
  noticed(changes: AuthorityChanges | undefined): void {
    if (changes) this.#versions.changed(changes);
    else this.#versions.allChanged();
  }

  /** Call this when the database is out of reach: it may have changed meanwhile, or be another one afterwards. */
  lost(): void {
    this.#known = undefined;
    this.#versions.allChanged();
  }

  /** Call this after the commit of a transaction, or if it may have been committed: then without a version. */
  committed(ids: ReadonlySet<string>, version = 0): void {
    // Principals cached during the transaction were read before it was committed.
    const changes = [...ids].map((id) => [id, version] as const);
    this.#versions.changed(changes);
    this.#tell(changes);
  }

  /** `since` is what was known when the database was asked: others may have seen more since. */
  #see({ version, unnamed, changes }: State, since: Place | undefined): boolean {
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
