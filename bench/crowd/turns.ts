import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { isMainThread } from 'node:worker_threads';

/** Milliseconds between two samples of CPU time. */
const TICK_MS = 1;

/**
 * Preloaded into a node (`-r`) to measure the longest turn of its event loop. Samples the main thread's
 * CPU time every millisecond, so waiting for a core does not count. Each connection to the socket
 * BENCH_TURNS receives the longest turn since the previous one, in milliseconds of CPU.
 */
function watch(path: string): void {
  let longest = 0;
  let before = cpuMs();
  const timer = setInterval(() => {
    const now = cpuMs();
    longest = Math.max(longest, now - before);
    before = now;
  }, TICK_MS);
  timer.unref();
  const server = createServer((socket) => {
    socket.end(String(longest));
    longest = 0;
  });
  // The start script loaded this file, too, and left its socket when it replaced itself with the server.
  rmSync(path, { force: true });
  server.listen(path);
  server.unref();
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

const path = process.env.BENCH_TURNS;
if (isMainThread && path) watch(path);
