const tasks: (() => Promise<void>)[] = [];

/** What the files of a process share ends with the last of them: keeps what to do then. */
export function atEnd(task: () => Promise<void>): void {
  tasks.push(task);
}

/** Does all of it, once. */
export async function end(): Promise<void> {
  for (const task of tasks.splice(0)) await task();
}
