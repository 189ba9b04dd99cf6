import assert from 'node:assert/strict';
import type { Json, World } from './world.ts';

/** Number of alternating pairs of requests whose CPU time is compared. */
const PAIRS = 1_000;
/** Number of pairs sent before the measurement, which gives V8 time to compile the code. */
const WARM_PAIRS = 100;
/** Maximum difference between the medians, as a fraction of the lower one. */
const MARGIN = 0.05;
/** Noise on the machine affects only some attempts, but a real difference affects all of them. */
const MAX_ATTEMPTS = 3;

/** A request by a signed-in person. */
export interface Request {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  body?: object;
}

const median = (values: number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] as number;

/**
 * Compares the server's CPU time of two requests that it must refuse with the same error. The requests go to
 * the server's HTTP handlers directly, without a connection or a client.
 */
export async function assertSameCpu(
  world: World,
  { cookie, place }: { cookie: string; place: string | undefined },
  what: string,
  requestOf: (side: 0 | 1) => Request,
): Promise<void> {
  const ask = async (side: 0 | 1): Promise<{ micros: number; answer: Json }> => {
    const { method, path, body } = requestOf(side);
    const request = {
      method,
      url: path,
      headers: { host: new URL(world.url).host, cookie, 'palaver-server': place },
      ...(body && { payload: body }),
    };
    // Unlike the CPU time of a thread, which Linux updates only when it switches threads, the CPU time of the process
    // is exact.
    const before = process.cpuUsage();
    const answer = await world.app.inject(request);
    const { user, system } = process.cpuUsage(before);
    return { micros: user + system, answer };
  };
  const shown = async (side: 0 | 1) => {
    const { answer } = await ask(side);
    return [answer.statusCode, { ...answer.json().error, requestId: '' }];
  };
  const refused = await shown(0);
  assert.equal(refused[0], 403, what);
  assert.deepEqual(refused, await shown(1), what);
  const medians = async (pairs: number): Promise<[number, number]> => {
    const times: [number[], number[]] = [[], []];
    for (let pair = 0; pair < pairs; pair++)
      for (const side of pair % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
        const { micros, answer } = await ask(side);
        assert.equal(answer.statusCode, 403, what);
        times[side].push(micros);
      }
    return [median(times[0]), median(times[1])];
  };
  await medians(WARM_PAIRS);
  const attempts: string[] = [];
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const [one, other] = await medians(PAIRS);
    const share = Math.abs(one - other) / Math.min(one, other);
    attempts.push(`${one.toFixed(0)} and ${other.toFixed(0)} µs (${(100 * share).toFixed(1)} %)`);
    if (share < MARGIN) return console.log(`${what}: ${attempts.join(', ')}`);
  }
  assert.fail(`${what}: ${attempts.join(', ')}`);
}
