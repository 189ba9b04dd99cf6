import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { Asked } from '../../test/support/everyOperation.ts';
import { Requests } from './requests.ts';

/** Milliseconds between two requests. */
const PAUSE_MS = 5;

const health: Asked = { path: '/healthz', headers: {} };

/**
 * Sends sequential requests to a node while a benchmark runs, by default to `/healthz`. Uses a separate
 * thread, so other work in this process does not delay them.
 */
export class Beside {
  readonly #worker: Worker;

  /** @param asked The requests to cycle through. */
  constructor(url: string, asked: readonly Asked[] = [health]) {
    this.#worker = new Worker(new URL(import.meta.url), { workerData: { url, asked } });
  }

  /** Returns the durations, in ms, of the requests since the last call. */
  async take(): Promise<number[]> {
    this.#worker.postMessage('take');
    const [times] = await once(this.#worker, 'message');
    return times;
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}

async function watch({ url, asked }: { url: string; asked: readonly Asked[] }): Promise<void> {
  const requests = new Requests(url, 1);
  let times: number[] = [];
  parentPort?.on('message', () => {
    parentPort?.postMessage(times);
    times = [];
  });
  for (let number = 0; ; number++) {
    times.push((await requests.succeed(asked[number % asked.length] as Asked)).ms);
    await sleep(PAUSE_MS);
  }
}

if (!isMainThread) await watch(workerData);
