import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

interface Waiting {
  values: SQLInputValue[];
  done: () => void;
}

/**
 * Inserts rows with `statement`. Inserts in the same turn of the event loop share a commit. Returns a function that
 * adds a row and resolves once it is durable.
 */
export function groupCommit(
  db: DatabaseSync,
  statement: StatementSync,
): (...values: SQLInputValue[]) => Promise<void> {
  const [begin, commit] = [db.prepare('begin immediate'), db.prepare('commit')];
  let waiting: Waiting[] = [];
  const flush = () => {
    const batch = waiting;
    waiting = [];
    begin.run();
    for (const { values } of batch) statement.run(...values);
    commit.run();
    for (const { done } of batch) done();
  };
  return (...values) =>
    new Promise((done) => {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ values, done });
    });
}
