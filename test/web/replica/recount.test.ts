import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { realAround } from '../../../web/replica/around.ts';
import { Recount } from '../../../web/replica/recount.ts';
import { Replica } from '../../../web/replica/replica.ts';
import type { Api, ServerState } from '../../../web/replica/types.ts';

const SERVER = 'server';
const CHANNEL = 'channel';

/** Requests for counts with a fake clock. `ask` answers them. */
function stage(ask: () => unknown, put = () => {}) {
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
      return ask();
    },
  });
  const recount = new Recount({ replica, api: api as unknown as Api, around, put });
  /** Advances the clock by a minute. */
  const pass = async () => {
    for (const end = now + 60_000; now < end; now += 100) {
      for (const timer of timers.filter(({ at }) => at <= now)) {
        timers.splice(timers.indexOf(timer), 1);
        timer.run();
      }
      await turn();
    }
    return asked.splice(0);
  };
  return { replica, recount, pass };
}

/** Returns the requests for counts sent within a minute if the server returns this status. */
async function askedWhen(status: number): Promise<object[]> {
  const { recount, pass } = stage(() => {
    throw Object.assign(new Error('refused'), { status });
  }, assert.fail);
  recount.doubt(SERVER, CHANNEL);
  const asked = await pass();
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

const thread = (number: number) => ({ serverId: SERVER, channelId: CHANNEL, threadId: `t${number}` });
const names = (count: number) => Array.from({ length: count }, (_, number) => `t${number}`);

test('one request names up to 50 channels and threads, and more channels are all counted', async () => {
  const { recount, pass } = stage(() => ({}));
  for (const id of names(50)) recount.doubt(SERVER, id);
  assert.deepEqual(await pass(), [{ channelIds: names(50).join(',') }]);
  for (const id of names(51)) recount.doubt(SERVER, id);
  assert.deepEqual(await pass(), [{}]);
  recount.doubt(SERVER, null);
  recount.doubt(SERVER, CHANNEL);
  assert.deepEqual(await pass(), [{}]);
  recount.doubtThread(thread(0));
  assert.deepEqual(await pass(), [{ channelIds: CHANNEL, threadIds: 't0' }]);
  for (let number = 0; number < 51; number++) recount.doubtThread(thread(number));
  assert.deepEqual(await pass(), [
    { channelIds: CHANNEL, threadIds: names(50).join(',') },
    { channelIds: CHANNEL, threadIds: 't50' },
  ]);
});

test('a failed request for all counts and a thread is repeated as a whole', async () => {
  let failures = 1;
  const { recount, pass } = stage(() => {
    if (failures-- > 0) throw new Error('no network');
  });
  recount.doubt(SERVER, null);
  recount.doubtThread(thread(0));
  assert.deepEqual(await pass(), [{ threadIds: 't0' }, { threadIds: 't0' }]);
});

test('a server has one request in flight, and none before its snapshot or after the end', async () => {
  const answers: PromiseWithResolvers<object>[] = [];
  const { replica, recount, pass } = stage(() => {
    const answer = Promise.withResolvers<object>();
    answers.push(answer);
    return answer.promise;
  });
  replica.states.clear();
  recount.doubt(SERVER, CHANNEL);
  assert.deepEqual(await pass(), []);
  replica.states.set(SERVER, {} as ServerState);
  recount.ready();
  assert.deepEqual(await pass(), [{ channelIds: CHANNEL }]);
  recount.doubt(SERVER, 'other');
  assert.deepEqual(await pass(), []);
  answers[0]?.resolve({});
  assert.deepEqual(await pass(), [{ channelIds: 'other' }]);
  recount.doubt(SERVER, CHANNEL);
  recount.drop(SERVER);
  answers[1]?.resolve({});
  assert.deepEqual(await pass(), [], 'the user has left');
  recount.doubt(SERVER, CHANNEL);
  await pass();
  recount.doubt(SERVER, 'other');
  await pass();
  recount.stop();
  answers[2]?.resolve({});
  assert.deepEqual(await pass(), [], 'the session has ended');
  const other = stage(() => ({}));
  other.recount.doubt(SERVER, CHANNEL);
  other.recount.stop();
  assert.deepEqual(await other.pass(), []);
});
