import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Stream } from '../../../web/replica/stream.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import type { Json } from '../../support/world.ts';

const block = (event: string, data: Json) =>
  `${event && `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;
const opening = block('opening', { userId: 'me', cursors: {} });
const DATE = 'Mon, 30 Nov 2026 04:00:00 GMT';

/** A stream whose connections the test serves. */
function stage(ready?: Promise<unknown>) {
  const clock = new FakeClock(1e12);
  clock.randomness = 1;
  const [connections, taken, skipped, statuses]: [Json[], Json[], Json[], string[]] = [[], [], [], []];
  const state = { cursors: [] as string[], alive: 0 };
  const stream = new Stream({
    fetch: (path, { headers, signal }) => {
      const { promise, resolve, reject } = Promise.withResolvers<Response>();
      signal.addEventListener('abort', () => reject(signal.reason));
      connections.push({
        ...{ path, headers, signal },
        fail: async () => {
          reject(new TypeError('lost'));
          await turn();
        },
        /** Responds, and returns functions that send text and end the response. */
        accept: async (status = 200) => {
          let body: ReadableStreamDefaultController | undefined;
          const source = new ReadableStream({
            start(controller) {
              body = controller;
            },
          });
          signal.addEventListener('abort', () => body?.error(signal.reason));
          resolve(new Response(source, { status, headers: { date: DATE } }));
          const settle = async () => {
            for (let time = 0; time < 3; time++) await turn();
          };
          await settle();
          return {
            send: async (text: string) => {
              body?.enqueue(new TextEncoder().encode(text));
              await settle();
            },
            end: async () => {
              body?.close();
              await settle();
            },
          };
        },
      });
      return promise;
    },
    ...{ around: clock, ready, cursors: () => state.cursors, take: (one) => void taken.push(one) },
    skip: (serverId) => void skipped.push(serverId as never),
    alive: () => void state.alive++,
    status: (status, nextAt) =>
      void statuses.push(nextAt === null ? status : `${status} ${nextAt - clock.now()}`),
  });
  /** Starts the stream, and serves its first connection. */
  const open = async () => {
    stream.start();
    const connection = connections.shift() as Json;
    const body = await connection.accept();
    await body.send(opening);
    statuses.length = 0;
    return { ...body, signal: connection.signal };
  };
  return { stream, clock, connections, taken, skipped, statuses, state, open };
}

test('the stream is requested from its cursors, and live once it has opened', async () => {
  const { stream, connections, statuses, taken, state } = stage();
  assert.equal(stream.isRunning, false);
  state.cursors = ['a', 'b'];
  for (let time = 0; time < 2; time++) stream.start();
  assert.equal(stream.isRunning, true);
  const [connection, ...more] = connections;
  assert.deepEqual([connection?.path, more.length], ['/api/people/events?after=a,b', 0]);
  assert.equal(connection?.headers['palaver-server'], 'none');
  const { send } = await (connection as Json).accept();
  assert.deepEqual(statuses, ['connecting']);
  await send(opening);
  assert.deepEqual(statuses, ['connecting', 'live']);
  await send(
    block('', { id: '1' }) +
      block('message', { id: '2' }) +
      ': heartbeat\n\n' +
      block('cursors', { id: '3' }),
  );
  assert.deepEqual(
    taken.map(({ event, data }) => [event, data.id]),
    [
      ['opening', undefined],
      ['message', '1'],
      ['message', '2'],
      ['cursors', '3'],
    ],
  );
  assert.deepEqual(statuses, ['connecting', 'live']);
  stream.stop();
  assert.deepEqual([stream.isRunning, connection?.signal.aborted], [false, true]);
});

test('without cursors, the stream starts at the end of all logs', async () => {
  const { stream, connections } = stage();
  stream.start();
  assert.equal(connections[0]?.path, '/api/people/events');
});

test('after failures, the stream reconnects with growing pauses, and the person is told after the second', async () => {
  const { stream, connections, statuses, clock } = stage();
  stream.start();
  const pauses: number[] = [];
  for (let failure = 0; failure < 7; failure++) {
    await connections.shift()?.fail();
    pauses.push(...clock.delays);
    await clock.pass(clock.delays[0] ?? 0);
  }
  assert.deepEqual(pauses, [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  assert.deepEqual(statuses.slice(0, 6), [
    ...['connecting', 'connecting 1000', 'connecting', 'offline 2000', 'offline', 'offline 4000'],
  ]);
  const { send, end } = await (connections.shift() as Json).accept();
  await send(opening);
  assert.equal(statuses.at(-1), 'live');
  clock.randomness = 0;
  await end();
  assert.equal(statuses.at(-1), 'connecting 500', 'once a stream has opened, the delays start over');
});

test('an error of the server is a failure like any other', async () => {
  for (const status of [400, 403, 429, 500, 503]) {
    const { stream, connections, statuses, clock } = stage();
    stream.start();
    await connections.shift()?.accept(status);
    assert.equal(statuses.at(-1), 'connecting 1000', `${status}`);
    await clock.pass(1_000);
    assert.equal(connections.length, 1);
  }
});

test('a person who is signed out is not reconnected', async () => {
  const { stream, connections, statuses, clock } = stage();
  stream.start();
  await connections.shift()?.accept(401);
  assert.deepEqual([statuses.at(-1), stream.isRunning, clock.delays], ['signedOut', false, []]);
  stream.start();
  assert.equal(connections.length, 1, 'until a new start');
});

test('a stream that is silent for 20 seconds is reconnected, and any data keeps it alive', async () => {
  const { open, connections, clock, state } = stage();
  const { send, signal } = await open();
  await clock.pass(15_000);
  const { alive } = state;
  await send(': heartbeat\n\n');
  await send('event: ping\n\n');
  assert.equal(state.alive, alive + 2);
  await clock.pass(19_999);
  assert.equal(signal.aborted, false);
  await clock.pass(1);
  assert.equal(signal.aborted, true);
  await clock.pass(1_000);
  assert.equal(connections.length, 1);
});

test('when the machine wakes up, a stream that was silent for 20 s is reconnected; when the network is back, for 2 s', async () => {
  for (const [isOnline, limit] of [
    [false, 20_000],
    [true, 2_000],
  ] as const) {
    const { open, stream, clock } = stage();
    const { signal } = await open();
    clock.sleep(limit);
    stream.wake(isOnline);
    assert.equal(signal.aborted, false);
    clock.sleep(1);
    stream.wake(isOnline);
    assert.equal(signal.aborted, true);
  }
});

test('a pause ends when the network is back, and a stop ends it for good', async () => {
  const { stream, connections, clock } = stage();
  stream.start();
  await connections.shift()?.fail();
  stream.wake(true);
  await turn();
  assert.deepEqual([connections.length, clock.delays], [1, [20_000]]);
  await connections.shift()?.fail();
  stream.stop();
  assert.deepEqual(clock.delays, []);
  await clock.pass(60_000);
  assert.deepEqual(connections, []);
});

test('a stream that the browser doubts is reconnected', async () => {
  const { open, stream, connections, clock } = stage();
  const { signal } = await open();
  stream.doubt();
  assert.equal(signal.aborted, true);
  await clock.pass(1_000);
  assert.equal(connections.length, 1);
});

test('no block is applied before the stored rows are loaded', async () => {
  const ready = Promise.withResolvers<void>();
  const { stream, connections, taken } = stage(ready.promise);
  stream.start();
  const { send } = await (connections[0] as Json).accept();
  await send(opening);
  assert.deepEqual(taken, []);
  ready.resolve();
  for (let time = 0; time < 3; time++) await turn();
  assert.equal(taken.length, 1);
});

test('blocks that arrive after a stop are not applied', async () => {
  const { open, stream, taken, statuses, clock } = stage();
  const { send } = await open();
  stream.stop();
  await send(block('message', { id: '1' })).catch(() => {});
  await turn();
  assert.deepEqual([taken.length, statuses, clock.delays], [1, [], []]);
});

test('more than 2,000 missed events of a log are skipped, if the stream resumes at cursors', async () => {
  const missed = (count: number) =>
    block('message', { id: 'e', serverId: 'server', at: Date.parse(DATE) - 1 }).repeat(count);
  for (const cursors of [['a'], []]) {
    const { stream, connections, skipped, state, taken, clock } = stage();
    state.cursors = cursors;
    stream.start();
    const connection = connections.shift() as Json;
    const { send } = await connection.accept();
    await send(opening + missed(2_000));
    assert.deepEqual([taken.length, skipped], [2_001, []]);
    await send(missed(2));
    assert.deepEqual([taken.length, skipped], cursors.length > 0 ? [2_002, ['server']] : [2_003, []]);
    assert.equal(connection.signal.aborted, cursors.length > 0, 'the rest is not downloaded');
    await clock.pass(1_000);
    assert.equal(connections.length, cursors.length);
  }
});
