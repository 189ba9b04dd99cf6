import { basename } from 'node:path';
import { getAsset, isSea } from 'node:sea';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * Starts a worker thread. `script` is a plain JavaScript file next to the caller's file, with a unique
 * name: `new URL('./…Worker.js', import.meta.url)`. The single executable embeds these scripts by name and
 * passes their source, because a thread cannot read files from the executable. Throws if the machine cannot
 * start another thread.
 */
export function startThread(script: URL, options: WorkerOptions): Worker {
  if (!isSea()) return new Worker(script, options);
  return new Worker(getAsset(basename(script.pathname), 'utf8'), { ...options, eval: true });
}
