import { OVERLAP, type Runnable, StorageError, type Tx } from '../contract.ts';
import type { Authority } from './authority.ts';
import type { SqliteConnection } from './connection.ts';
import { type Options, readingOf } from './reader.ts';

/** The transaction as seen by its writes, which run one after another. */
export interface SqliteTx extends Tx {
  /** Call this before each write. */
  begin(): void;
  /**
   * Call this after a write that did not throw. If the write caught an error that it must not catch, throws
   * that error.
   */
  requireSound(): void;
}

/** The result of every successful `run`, as one shared promise. */
const done = Promise.resolve();

/** Reads and changes inside the transaction. */
export const transactionOf = (
  connection: SqliteConnection,
  authority: Authority,
  { onSearch, searching }: Pick<Options, 'onSearch' | 'searching'>,
): SqliteTx => {
  const options = {
    runInTurn: <T>(_tenant: string, task: () => Promise<T>) => task(),
    onSearch,
    searching,
  };
  const reader = readingOf(connection, { ...options, durable: (result) => result })('');
  /** The reason why the write fails, regardless of its result. */
  let fault: unknown;
  /** The error of a change that a unique index rejected. It fails the innermost savepoint, or the write. */
  let refusal: unknown;
  let savepoints: symbol[] = [];

  const note = (error: unknown): unknown => {
    // Some SQLite failures end the transaction. A later change would then be committed immediately.
    if (error instanceof StorageError || !connection.db.isTransaction) fault ??= error;
    else refusal ??= error;
    return error;
  };
  const leave = (savepoint: symbol): void => {
    if (savepoints.pop() === savepoint) return;
    fault ??= new Error(OVERLAP);
    throw fault;
  };

  return Object.assign(reader, {
    begin() {
      fault = undefined;
      refusal = undefined;
      if (savepoints.length > 0) savepoints = [];
    },
    requireSound() {
      if (fault !== undefined) throw fault;
      if (refusal !== undefined) throw refusal;
    },
    run(query: Runnable<unknown>) {
      if (fault !== undefined) return Promise.reject(fault);
      try {
        connection.run(query);
        return done;
      } catch (error) {
        return Promise.reject(note(error));
      }
    },
    async count(query: Runnable<unknown>) {
      if (fault !== undefined) throw fault;
      try {
        return connection.run(query);
      } catch (error) {
        throw note(error);
      }
    },
    async savepoint<T>(task: () => Promise<T>): Promise<T> {
      if (fault !== undefined) throw fault;
      const outer = refusal;
      const savepoint = Symbol();
      connection.scalar('savepoint step');
      savepoints.push(savepoint);
      refusal = undefined;
      try {
        const result = await task();
        if (refusal !== undefined) throw refusal;
        leave(savepoint);
        connection.scalar('release step');
        return result;
      } catch (error) {
        if (fault === undefined && savepoints.includes(savepoint)) leave(savepoint);
        if (fault !== undefined) throw fault;
        if (error instanceof StorageError) throw note(error);
        connection.scalar('rollback to step');
        connection.scalar('release step');
        throw error;
      } finally {
        refusal = outer;
      }
    },
    // Transactions are serial, so no lock is needed.
    hold: () => done,
    // All processes that use the file share the machine's clock.
    time: () => undefined,
    changesAuthority: () => authority.hasChangedInBatch,
  });
};
