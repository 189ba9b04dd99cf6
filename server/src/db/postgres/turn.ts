let tasks: (() => void)[] = [];

/**
 * Runs a task after this turn of the event loop, together with all others: connections flush what they have
 * batched at the moment when answers are no longer shared. Tasks run in call order, and must not throw.
 */
export function afterTurn(task: () => void): void {
  if (tasks.length === 0) setImmediate(runAll);
  tasks.push(task);
}

function runAll(): void {
  const due = tasks;
  tasks = [];
  for (const task of due) task();
}
