let tasks: (() => void)[] = [];

/**
 * Runs a task after this turn of the event loop. All such tasks run together, so that connections flush their
 * batches when reads stop sharing responses. Tasks run in call order and must not throw.
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
