import assert from 'node:assert/strict';
import type { Answer } from './world.ts';

/** Number of pairs of requests whose times are compared. PALAVER_TEST_ROUNDS multiplies it. */
const PAIRS = 60 * Number(process.env.PALAVER_TEST_ROUNDS ?? 1);
const MAX_ATTEMPTS = 4;

/** The 20th percentile, because noise on the machine only makes requests slower. */
export const typical = (values: number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 5)] as number;

/** Sends one of the two requests. */
type Ask = (side: 0 | 1) => Promise<Answer>;

/** How long a request took, in ms. Throws unless the response has this status. */
export async function timeOf(ask: () => Promise<Answer>, status: number): Promise<number> {
  const started = performance.now();
  const answer = await ask();
  const ms = performance.now() - started;
  assert.equal(answer.status, status, JSON.stringify(answer.body));
  return ms;
}

/** The typical times of two alternating requests, in ms. */
async function timesOf(ask: Ask): Promise<[number, number]> {
  const times: [number[], number[]] = [[], []];
  for (let pair = 0; pair < PAIRS; pair++) {
    const first = pair % 2 === 0 ? 0 : 1;
    for (const side of [first, 1 - first] as const)
      times[side as 0 | 1].push(await timeOf(() => ask(side as 0 | 1), 403));
  }
  return [typical(times[0]), typical(times[1])];
}

/**
 * Asserts that two refused requests take about the same time. The margin is wide, but small compared with the time that
 * reading the protected data takes. Makes several attempts, because noise on a busy machine affects only some of them,
 * but a real difference affects all. Returns the times of the last attempt, in ms.
 */
export async function assertAlike(what: string, ask: Ask): Promise<[number, number]> {
  const attempts: string[] = [];
  while (attempts.length < MAX_ATTEMPTS) {
    const [one, other] = await timesOf(ask);
    if (Math.abs(one - other) < 0.5 + 0.35 * Math.min(one, other)) return [one, other];
    attempts.push(`${one.toFixed(2)} and ${other.toFixed(2)} ms`);
  }
  assert.fail(`${what}: ${attempts}`);
}
