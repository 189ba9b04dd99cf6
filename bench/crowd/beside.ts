import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { Asked } from '../../test/support/everyOperation.ts';
import { Requests } from './requests.ts';

/** Milliseconds between two requests. */
const PAUSE_MS = 5;

const health: Asked = { path: '/healthz', headers: {} };

/**
 * Somebody who sends one request after the other to a node, next to others, by default to `/healthz`: in a thread of
 * its own, so that other work of this process does not delay them.
 */
export class Beside {
  readonly #worker: Worker;

  /** @param asked The requests, in rotation. */
  constructor(url: string, asked: readonly Asked[] = [health]) {
    this.#worker = new Worker(new URL(import.meta.url), { workerData: { url, asked } });
  }

  /** The milliseconds that each request has taken since the last call. */
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
