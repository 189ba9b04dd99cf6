import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EventOptions, PalaverEvent } from '../../client/src/event.ts';
import { type Palaver, palaverIn } from '../../client/src/palaver.ts';
import { fakeFeed, logged, patient, refuse, SILENCE_MS, stream, TIMEOUT_MS } from '../support/fakeFeed.ts';

const meet = (baseUrl: string, around = patient()): Palaver =>
  palaverIn({ baseUrl, key: 'k', timeout: TIMEOUT_MS }, around);

async function take(palaver: Palaver, amount: number, options: EventOptions = {}): Promise<PalaverEvent[]> {
  const events: PalaverEvent[] = [];
  const signal = AbortSignal.timeout(20_000);
  for await (const event of palaver.events({ silence: SILENCE_MS, signal, ...options })) {
    events.push(event);
    if (events.length === amount) break;
  }
  return events;
}

const numbersOf = (events: PalaverEvent[]): unknown[] => events.map(({ id, type }) => id ?? type);
const upTo = (amount: number): string[] => Array.from({ length: amount }, (_, index) => `e${index + 1}`);
/** The events after a cursor in a log of `amount` events. */
const logAfter = (amount: number, after: string | null): string =>
  Array.from({ length: amount }, (_, index) => index + 1)
    .filter((seq) => seq > Number(after?.slice(1) ?? 0))
    .map((seq) => logged(seq))
    .join('');

test('events arrive in order and exactly once, wherever connections break', async () => {
  const sizes = Array.from({ length: 400 }, (_, index) => 1 + ((index * 7919) % 613));
  await using feed = await fakeFeed(
    ...(sizes.map((size) =>
      stream((after) => Buffer.from(logAfter(50, after)).subarray(0, size), size % 2 ? 'cut' : 'end', 'e0'),
    ) as [ReturnType<typeof stream>]),
    stream((after) => logAfter(50, after)),
  );
  assert.deepEqual(numbersOf(await take(meet(feed.url), 50)), upTo(50));
  assert.ok(feed.asked.length > 20);
});

test('repeated events are skipped', async () => {
  await using feed = await fakeFeed(
    stream(logged(1) + logged(2) + logged(2) + logged(1), 'end'),
    stream(logged(1) + logged(2) + logged(3)),
  );
  assert.deepEqual(numbersOf(await take(meet(feed.url), 3)), upTo(3));
});

test('events before the first received one are not missed', async () => {
  await using feed = await fakeFeed(
    stream(': here\n\n', 'end', 'e4'),
    stream((after) => logAfter(5, after)),
  );
  assert.deepEqual(numbersOf(await take(meet(feed.url), 1)), ['e5']);
  assert.deepEqual(feed.asked, [null, 'e4']);
});

test('an id without an event moves the cursor', async () => {
  await using feed = await fakeFeed(
    stream('id: e8\n\n', 'end', 'e4'),
    stream((after) => logAfter(9, after)),
  );
  assert.deepEqual(numbersOf(await take(meet(feed.url), 1)), ['e9']);
});

test('a new iteration resumes after the given id', async () => {
  await using feed = await fakeFeed(stream((after) => logAfter(9, after)));
  const [last] = await take(meet(feed.url), 1);
  assert.deepEqual(numbersOf(await take(meet(feed.url), 1, { after: (last as { id: string }).id })), ['e2']);
});

test('live events have no id and do not move the cursor', async () => {
  const typing = { type: 'indicator.created', serverId: 's', actorId: 'u', at: 1, data: { id: 'i' } };
  const live = `data: ${JSON.stringify(typing)}\n\n`;
  await using feed = await fakeFeed(stream(logged(1) + live + live, 'end'), stream(logged(2)));
  const events = await take(meet(feed.url), 4);
  assert.deepEqual(numbersOf(events), ['e1', 'indicator.created', 'indicator.created', 'e2']);
  assert.deepEqual(feed.asked, [null, 'e1']);
});

test('a reset is passed on, and sequence numbers can start over after it', async () => {
  const gap = { reason: 'unknown', oldest: 'o', latest: 'l' };
  await using feed = await fakeFeed(
    stream(logged(7), 'end'),
    stream(`id: n0\nevent: reset\ndata: ${JSON.stringify(gap)}\n\n${logged(1)}`, 'end'),
    stream(logged(2)),
  );
  const events = await take(meet(feed.url), 4);
  assert.deepEqual(numbersOf(events), ['e7', 'n0', 'e1', 'e2']);
  assert.deepEqual(events[1], { type: 'reset', id: 'n0', ...gap });
  assert.deepEqual(feed.asked, [null, 'e7', 'e1']);
});

test('named events from later server versions are skipped', async () => {
  await using feed = await fakeFeed(stream(`event: later\ndata: whatever\n\n${logged(1)}`));
  assert.deepEqual(numbersOf(await take(meet(feed.url), 1)), ['e1']);
});

test('a silent connection is closed and reconnected', async () => {
  await using feed = await fakeFeed(stream(logged(1)), stream(logged(2)));
  assert.deepEqual(numbersOf(await take(meet(feed.url, patient({ silent: true })), 2)), upTo(2));
});

test('the client waits as long as the server asks', async () => {
  const around = patient();
  await using feed = await fakeFeed(
    refuse(503, 'INTERNAL_ERROR', { 'retry-after': '7' }),
    refuse(429, 'RATE_LIMITED', { 'retry-after': '30' }),
    stream(logged(1)),
  );
  await take(meet(feed.url, around), 1);
  assert.deepEqual(around.waits, [7_000, 30_000]);
});

test('the backoff grows while no event arrives, and resets after one', async () => {
  const around = patient();
  const page = stream('', 'end');
  await using feed = await fakeFeed(page, page, page, stream(logged(1), 'cut'), stream(logged(2)));
  await take(meet(feed.url, around), 2);
  assert.deepEqual(around.waits, [250, 500, 1000, 250]);
});

for (const [status, code] of [
  [400, 'INVALID_REQUEST'],
  [401, 'INVALID_API_KEY'],
  [403, 'FORBIDDEN'],
  [404, 'NOT_FOUND'],
] as const) {
  test(`${status} ends the iteration, even midway`, async () => {
    await using feed = await fakeFeed(stream(logged(1), 'end'), refuse(status, code));
    await assert.rejects(take(meet(feed.url), 2), { name: 'PalaverError', status, code, requestId: 'r' });
  });
}

test("a response that is not an event stream, such as a proxy's page, is retried", async () => {
  await using feed = await fakeFeed(
    (answer) => answer.writeHead(200, { 'content-type': 'text/html' }).end('<p>Welcome'),
    (answer) => answer.writeHead(502, { 'content-type': 'text/html' }).end('<p>Bad gateway'),
    stream('data: no JSON\n\n'),
    stream(logged(1)),
  );
  assert.deepEqual(numbersOf(await take(meet(feed.url), 1)), ['e1']);
});

test('a signal ends the iteration: before it starts, while it listens, and while it waits to reconnect', async () => {
  const reason = new Error('enough');
  await using feed = await fakeFeed(stream(logged(1)));
  await assert.rejects(take(meet(feed.url), 1, { signal: AbortSignal.abort(reason) }), reason);

  const listening = new AbortController();
  setTimeout(() => listening.abort(reason), 50);
  await assert.rejects(take(meet(feed.url), 2, { signal: listening.signal }), reason);

  const waiting = new AbortController();
  const palaver = palaverIn(
    { baseUrl: 'http://127.0.0.1:9', key: 'k', onRetry: () => waiting.abort(reason) },
    patient(),
  );
  await assert.rejects(take(palaver, 1, { signal: waiting.signal }), reason);
});

test('leaving the loop closes the connection', async () => {
  let isClosed = () => {};
  const closed = new Promise<void>((resolve) => {
    isClosed = resolve;
  });
  await using feed = await fakeFeed((answer, after, request) => {
    request.socket.on('close', isClosed);
    stream(logged(1))(answer, after, request);
  });
  await take(meet(feed.url), 1);
  await closed;
});

test('the filters, the cursor and the key are sent', async () => {
  const asked: (string | undefined)[] = [];
  await using feed = await fakeFeed((answer, after, request) => {
    asked.push(request.url, request.headers.accept, request.headers.authorization);
    stream(logged(1))(answer, after, request);
  });
  await take(meet(feed.url), 1, { types: ['message.*', 'pin.created'], channelId: 'c', after: 'e0' });
  const query = new URLSearchParams({ types: 'message.*,pin.created', channelId: 'c', after: 'e0' });
  assert.deepEqual(asked, [`/api/v1/events?${query}`, 'text/event-stream', 'Bearer k']);
});
