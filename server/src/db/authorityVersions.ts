/** The server and the user that a caller's permissions depend on; null for none. */
export interface Whose {
  readonly serverId: string | null;
  readonly userId: string | null;
}

/**
 * The servers and users whose permissions changed, by id, with the database's version of the change, or 0 if
 * unknown.
 */
export type AuthorityChanges = readonly (readonly [id: string, version: number])[];

/** Maximum cached servers and users. */
const MAX_KEPT = 100_000;
/** Maximum changes to send or read at once. If there are more, a process invalidates all permissions. */
export const MAX_CHANGES = 1_000;

/**
 * Tracks permission changes, to invalidate caches. The versions here count the changes that this process has
 * noticed. The database's versions are shared by all processes and show whether a change is new to this
 * process.
 */
export class AuthorityVersions {
  #latest = 1;
  /** The version at which all permissions were last invalidated. */
  #floor = 1;
  /** The latest change of each server or user, with its database version if known; oldest first. */
  readonly #changed = new Map<string, { at: number; stored: number }>();

  /** The latest version, which increases with every change. */
  get latest(): number {
    return this.#latest;
  }

  /** Whether permissions in the server, or of the user, have changed since version `since`. */
  hasChanged(since: number, { serverId, userId }: Whose): boolean {
    return this.#floor > since || this.#changedAt(serverId) > since || this.#changedAt(userId) > since;
  }

  /** Records changes committed by this or another process. Changes that are already known have no effect. */
  changed(changes: AuthorityChanges): void {
    const fresh = changes.filter(([id, version]) => version === 0 || this.#storedOf(id) < version);
    if (fresh.length === 0) return;
    this.#latest++;
    for (const [id, version] of fresh) this.#note(id, Math.max(version, this.#storedOf(id)));
  }

  /** Invalidates all permissions. */
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
    // `set` moves the id to the end only if it was deleted first.
    this.#changed.delete(id);
    this.#changed.set(id, { at: this.#latest, stored });
    if (this.#changed.size <= MAX_KEPT) return;
    const [oldest, { at }] = this.#changed.entries().next().value as [string, { at: number }];
    this.#changed.delete(oldest);
    this.#floor = at;
  }
}
