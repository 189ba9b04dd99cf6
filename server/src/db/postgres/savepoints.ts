import { type Runnable, StorageError } from '../contract.ts';
import type { Reach } from '../reach.ts';
import { type TableName, tables } from '../schema.ts';
import { fixed } from './compile.ts';
import type { Result } from './connection.ts';
import { isWorthTrying } from './errors.ts';

/** Savepoints are nested: each statement refers to the innermost one. */
export const savepoints = {
  begin: fixed('savepoint step'),
  release: fixed('release savepoint step'),
  rollback: fixed('rollback to savepoint step'),
};

/** A change, and the rows that it may touch. */
export interface Change {
  query: Runnable<unknown>;
  reaches: readonly Reach[];
}

/** The result of the last of several changes, or the error of one that was rejected. */
export type Attempt = { last: Result } | { error: unknown };

/**
 * A savepoint of a write. Its changes are buffered until a read needs them or the savepoint ends, so most
 * savepoints are never sent to PostgreSQL.
 */
export class Step {
  readonly held: Change[] = [];
  /** The write's state at the start of the savepoint; undefined until the savepoint has been sent. */
  before: { hasChanged: boolean; names: ReadonlySet<string> } | undefined;
  /** The reason why a change was rejected. The step cannot continue. */
  refusal: unknown;
}

/** Whether a unique index may reject a change. The change must then be made within its savepoint. */
export const mayBeRefused = ({ reaches }: Change): boolean =>
  reaches.some(({ table }) => tables[table as TableName]?.unique !== undefined);

/** Whether a transaction can continue after a change failed with this error and was rolled back. */
export const isRefusal = (error: unknown): boolean =>
  !(error instanceof StorageError || isWorthTrying(error));

/** Resolves to the result of the last of these statements, or to the first error. */
export async function lastOf(sent: readonly Promise<Result>[]): Promise<Attempt> {
  const results = await Promise.allSettled(sent);
  for (const result of results) if (result.status === 'rejected') return { error: result.reason };
  return { last: (results.at(-1) as PromiseFulfilledResult<Result>).value };
}
