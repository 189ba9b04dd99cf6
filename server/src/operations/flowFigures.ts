/** A node's flow counters since it started. */
export interface FlowFigures {
  /** Runs whose first step was executed on this node, and runs that ended on it. */
  runs: { started: number; done: number; failed: number };
  /** Executed steps. */
  steps: number;
}

const byDatabase = new WeakMap<object, FlowFigures>();

/** Returns the counters of the node that uses this database. */
export function figuresOf(db: object): FlowFigures {
  let found = byDatabase.get(db);
  if (!found) {
    found = { runs: { started: 0, done: 0, failed: 0 }, steps: 0 };
    byDatabase.set(db, found);
  }
  return found;
}
