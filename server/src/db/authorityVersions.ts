/** Those whose permissions are asked about: a server's, and a user's; null for none. */
export interface Whose {
  readonly serverId: string | null;
  readonly userId: string | null;
}

/**
 * The servers and users whose permissions have changed, by id, each with the database's version of that change, or 0 if it
 * is not known.
 */
export type AuthorityChanges = readonly (readonly [id: string, version: number])[];

/** Servers and users whose changes are kept. */
const MAX_KEPT = 100_000;
/** Changes told or read at once: of more, a process takes all permissions as changed. */
export const MAX_CHANGES = 1_000;

/**
 * What this process knows of changes of permissions. Its versions count what it has noticed; those of the database, which
 * all processes share, tell whether a change has been noticed already.
 */
export class AuthorityVersions {
  #latest = 1;
  /** The version at which all permissions, but those in `#changed`, may have changed. */
  #floor = 1;
  /** The latest change of a server or a user, with its version in the database if that is known; oldest first. */
  readonly #changed = new Map<string, { at: number; stored: number }>();

  /** Grows with every change. */
  get latest(): number {
    return this.#latest;
  }

  /** True if permissions in the server, or of the user, have changed after the version `since`. */
  hasChanged(since: number, { serverId, userId }: Whose): boolean {
    return this.#floor > since || this.#changedAt(serverId) > since || this.#changedAt(userId) > since;
  }

  /** Notes changes that this process or another has committed. Those that are known already have no effect. */
  changed(changes: AuthorityChanges): void {
    const fresh = changes.filter(([id, version]) => version === 0 || this.#storedOf(id) < version);
    if (fresh.length === 0) return;
    this.#latest++;
    for (const [id, version] of fresh) this.#note(id, Math.max(version, this.#storedOf(id)));
  }

  /** Notes that all permissions may have changed. */
  allChanged(): void {
    this.#floor = ++this.#latest;
    this.#changed.clear();
  }

  #changedAt(id: string | null): number {
    return id === null ? 0 : (this.#changed.get(id)?.at ?? 0);
  }

  #storedOf(id: string): number {
    return this.#changed.get(id)?.stored ?? 0;
  }

  #note(id: string, stored: number): void {
    // Deleted first, so that it comes last.
    this.#changed.delete(id);
    this.#changed.set(id, { at: this.#latest, stored });
    if (this.#changed.size <= MAX_KEPT) return;
    const [oldest, { at }] = this.#changed.entries().next().value as [string, { at: number }];
    this.#changed.delete(oldest);
    this.#floor = at;
  }
}
