import { basename } from 'node:path';
import { getAsset, isSea } from 'node:sea';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * Starts a thread. `script` is a file in plain JavaScript beside the caller's, whose name is unique: `new URL('./…Worker.js',
 * import.meta.url)`. The executable file carries these scripts under their names: a thread there begins with a text, since it
 * can read no file of it. Throws where the machine has no room for a thread.
 */
export function startThread(script: URL, options: WorkerOptions): Worker {
  if (!isSea()) return new Worker(script, options);
  return new Worker(getAsset(basename(script.pathname), 'utf8'), { ...options, eval: true });
}
