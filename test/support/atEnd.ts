const tasks: (() => Promise<void>)[] = [];

/** Runs a task after the last file of this process, for resources that files share. */
export function atEnd(task: () => Promise<void>): void {
  tasks.push(task);
}

/** Runs all tasks, once. */
export async function end(): Promise<void> {
  for (const task of tasks.splice(0)) await task();
}
