import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { realAround } from '../../../web/replica/around.ts';
import { Recount } from '../../../web/replica/recount.ts';
import { Replica } from '../../../web/replica/replica.ts';
import type { Api, ServerState } from '../../../web/replica/types.ts';

const SERVER = 'server';
const CHANNEL = 'channel';

/** Returns the requests for counts sent within a minute if the server returns this status. */
async function askedWhen(status: number): Promise<object[]> {
  const replica = new Replica(() => {});
  replica.states.set(SERVER, {} as ServerState);
  const asked: object[] = [];
  let now = 0;
  const timers: { at: number; run: () => void }[] = [];
  const around = {
    ...realAround,
    now: () => now,
    after: (ms: number, run: () => void) => {
      const timer = { at: now + ms, run };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), 1);
    },
  };
  const api = () => ({
    personReading: async (input: object) => {
      asked.push(input);
      throw Object.assign(new Error('refused'), { status });
    },
  });
  const recount = new Recount({ replica, api: api as unknown as Api, around, put: () => assert.fail() });
  recount.doubt(SERVER, CHANNEL);
  for (; now < 60_000; now += 100) {
    for (const timer of timers.filter(({ at }) => at <= now)) {
      timers.splice(timers.indexOf(timer), 1);
      timer.run();
    }
    await turn();
  }
  recount.stop();
  return asked;
}

test('uncertain counts are requested again with a delay while the server is unreachable or limits requests', async () => {
  for (const status of [0, 429, 500, 503]) {
    const asked = await askedWhen(status);
    assert.ok(asked.length > 10 && asked.length < 20, `${status}: ${asked.length}`);
    assert.deepEqual(asked.at(-1), { channelIds: CHANNEL }, 'the count is still uncertain');
  }
});

test('a refusal is final: the same request would be rejected again', async () => {
  for (const status of [400, 403, 404, 499])
    assert.deepEqual(await askedWhen(status), [{ channelIds: CHANNEL }]);
});
