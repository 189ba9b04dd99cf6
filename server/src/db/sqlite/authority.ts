import type { SqliteConnection } from './connection.ts';

/**
 * The version of everything that decides about permissions: it grows with each such change, of this process or of
 * another on the same file.
 */
export class Authority {
  readonly #connection: Pick<SqliteConnection, 'scalar'>;
  #version = 1;
  #dataVersion: unknown;
  #hasChecked = false;
  #inBatch = false;
  #changedInBatch = false;
  readonly #allowCheck = () => {
    this.#hasChecked = false;
  };

  /** `connection` is the writing one: its own commits leave its `data_version` as it is. */
  constructor(connection: Pick<SqliteConnection, 'scalar'>) {
    this.#connection = connection;
    this.#dataVersion = connection.scalar('pragma data_version');
  }

  version(): number {
    // During a transaction no other process writes. Otherwise one check per turn of the event loop is enough: a request
    // sent after another process's change arrives in a later turn.
    if (!this.#hasChecked && !this.#inBatch) {
      const version = this.#connection.scalar('pragma data_version');
      if (version !== this.#dataVersion) {
        this.#dataVersion = version;
        this.#version++;
      }
      this.#hasChecked = true;
      setImmediate(this.#allowCheck);
    }
    return this.#version;
  }

  /** Call this for each change of this process. */
  changed(): void {
    this.#changedInBatch = this.#inBatch;
    this.#version++;
  }

  /** Call this once the write lock is held: all changes by other processes are visible then. */
  beginBatch(): void {
    this.#hasChecked = false;
    this.version();
    this.#inBatch = true;
    this.#changedInBatch = false;
  }

  /** Call this after the commit or the rollback. */
  endBatch(): void {
    // Principals cached while the batch ran were read before it was committed.
    if (this.#changedInBatch) this.#version++;
    this.#inBatch = false;
    this.#changedInBatch = false;
  }
}
