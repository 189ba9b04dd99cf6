let tasks: (() => void)[] = [];

/**
 * Runs a task after this turn of the event loop, together with all others: what the connections have gathered is sent, and
 * answers are no longer shared, at the same moment. Tasks run in the order of the calls, and throw nothing.
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
