import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PalaverError } from '../../client/src/error.ts';
import { createPalaver, type Palaver, type PalaverOptions, palaverIn } from '../../client/src/palaver.ts';
import { patient, TIMEOUT_MS } from '../support/fakeFeed.ts';

/** The outcome of one attempt. */
type Reply = (request: Request, signal: AbortSignal) => Response | Promise<Response>;

const json = (status: number, body: object, headers: Record<string, string> = {}): Reply => {
  return () => Response.json(body, { status, headers });
};
const done = json(200, { ok: true, data: { id: 'm' } });
const failed = (status: number, code = 'INTERNAL_ERROR', headers: Record<string, string> = {}): Reply =>
  json(status, { ok: false, error: { code, message: 'not now', requestId: 'r' } }, headers);
const page = (status: number): Reply => {
  return () => new Response('<p>A page', { status, headers: { 'content-type': 'text/html' } });
};
const turn = (seconds: string): Reply => failed(429, 'RATE_LIMITED', { 'retry-after': seconds });
const lost: Reply = () => Promise.reject(new TypeError('the connection was reset'));
const brokenOff: Reply = () => {
  const body = new ReadableStream({
    pull(controller) {
      controller.enqueue(new TextEncoder().encode('{"ok":true,'));
      controller.error(new TypeError('terminated'));
    },
  });
  return new Response(body, { status: 200, headers: { 'content-type': 'application/json' } });
};
const silent: Reply = (_request, signal) =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

interface Met {
  palaver: Palaver;
  /** The requests sent, with their bodies. */
  sent: { method: string; key: string | null; body: string }[];
  waits: number[];
}

/** A client whose attempts get these replies in order; all later attempts get the last reply. */
function meet(replies: Reply[], options: Partial<PalaverOptions> = {}): Met {
  const around = patient();
  const sent: Met['sent'] = [];
  around.fetch = async (request, init) => {
    const reply = replies[Math.min(sent.length, replies.length - 1)] as Reply;
    const key = request.headers.get('idempotency-key');
    sent.push({ method: request.method, key, body: await request.text() });
    return reply(request, init?.signal as AbortSignal);
  };
  const palaver = palaverIn({ baseUrl: 'http://palaver', key: 'k', timeout: TIMEOUT_MS, ...options }, around);
  return { palaver, sent, waits: around.waits };
}

const send = ({ palaver }: Met) => palaver.messageSend({ channelId: 'c', content: 'once' });

for (const [name, reply] of Object.entries({
  'status 500': failed(500),
  'status 502 from a proxy': page(502),
  'status 503': failed(503),
  'status 504 from a proxy': page(504),
  'no connection': lost,
  'a truncated response': brokenOff,
})) {
  test(`after ${name}, a message is resent with the same key and content`, async () => {
    const met = meet([reply, reply, done]);
    assert.equal((await send(met)).id, 'm');
    assert.equal(met.sent.length, 3);
    assert.equal(new Set(met.sent.map(({ key, body }) => key + body)).size, 1);
    assert.match(met.sent[0]?.key as string, /^[0-9a-f]{32}$/);
    assert.deepEqual(met.waits, [250, 500]);
  });
}

test('every call has its own Idempotency-Key unless one is given; reads, updates and deletes have none', async () => {
  const met = meet([done]);
  const { palaver, sent } = met;
  await send(met);
  await send(met);
  await palaver.messageSend({ channelId: 'c', content: 'x' }, { idempotencyKey: 'mine' });
  await palaver.POST('/api/v1/pins', { body: { messageId: 'm' } });
  await palaver.messageById({ messageId: 'm' });
  await palaver.messageSave({ messageId: 'm', content: 'x' });
  await palaver.messageDelete({ messageId: 'm' });
  const keys = sent.map(({ key }) => key);
  assert.equal(new Set(keys.slice(0, 4)).size, 4);
  assert.equal(keys[2], 'mine');
  assert.deepEqual(keys.slice(4), [null, null, null]);
});

test('an attempt without a response in time is aborted', async () => {
  const around = patient();
  let attempts = 0;
  around.fetch = async (request, init) => {
    attempts++;
    return attempts === 1
      ? silent(request, init?.signal as AbortSignal)
      : done(request, init?.signal as never);
  };
  around.wait = async () => {};
  const palaver = palaverIn({ baseUrl: 'http://palaver', key: 'k', timeout: 5, retries: 1 }, around);
  await assert.rejects(palaver.messageById({ messageId: 'm' }), { code: 'NO_ANSWER' });
  const unhurried = palaverIn({ baseUrl: 'http://palaver', key: 'k', timeout: 0 }, around);
  assert.equal((await unhurried.messageById({ messageId: 'm' })).id, 'm');
});

test('a call fails after the given number of retries', async () => {
  const met = meet([failed(503)], { retries: 2 });
  const error = { name: 'PalaverError', code: 'INTERNAL_ERROR', status: 503, requestId: 'r', attempts: 3 };
  await assert.rejects(send(met), error);
  assert.equal(met.sent.length, 3);

  const none = meet([lost], { retries: 0 });
  await assert.rejects(send(none), { code: 'NO_ANSWER', status: 0, attempts: 1, message: /was reset/ });
  assert.equal(none.sent.length, 1);
});

test('on 429 the client waits as long as the server says, any number of times', async () => {
  const met = meet([...Array(8).fill(turn('12')), done], { retries: 0 });
  assert.equal((await send(met)).id, 'm');
  assert.deepEqual(met.waits, Array(8).fill(12_000));
});

test('a call waits for at most `patience` in total', async () => {
  const met = meet([turn('12')], { patience: 30_000 });
  await assert.rejects(send(met), { code: 'RATE_LIMITED', status: 429, retryAfter: 12, attempts: 3 });
  assert.deepEqual(met.waits, [12_000, 12_000]);

  const long = meet([failed(503, 'INTERNAL_ERROR', { 'retry-after': '3600' })]);
  await assert.rejects(send(long), { status: 503, retryAfter: 3600, attempts: 1 });
});

test('429 without Retry-After counts as a failure', async () => {
  for (const reply of [failed(429, 'RATE_LIMITED'), turn('0'), turn('soon')]) {
    const met = meet([reply]);
    await assert.rejects(send(met), { code: 'RATE_LIMITED', attempts: 5 });
  }
});

test('Retry-After can be a date', async () => {
  const met = meet([turn(new Date(Date.now() + 20_000).toUTCString()), done]);
  await send(met);
  assert.ok((met.waits[0] as number) > 15_000 && (met.waits[0] as number) <= 20_000);
});

for (const [status, code] of Object.entries({
  400: 'INVALID_REQUEST',
  401: 'INVALID_API_KEY',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'ALREADY_EXISTS',
})) {
  test(`${code} is not retried`, async () => {
    const met = meet([failed(Number(status), code)]);
    await assert.rejects(send(met), { code, status: Number(status), message: 'not now', attempts: 1 });
    assert.equal(met.sent.length, 1);
  });
}

test('a retried delete that finds nothing fails with NOT_FOUND and the number of attempts', async () => {
  const met = meet([lost, failed(404, 'NOT_FOUND')]);
  await assert.rejects(met.palaver.messageDelete({ messageId: 'm' }), { code: 'NOT_FOUND', attempts: 2 });
  assert.deepEqual(
    met.sent.map(({ method, body }) => method + body),
    ['DELETE', 'DELETE'],
  );
});

test('a response that does not come from Palaver is NO_ANSWER', async () => {
  await assert.rejects(send(meet([page(200)])), { code: 'NO_ANSWER', status: 200 });
  await assert.rejects(send(meet([page(404)])), { code: 'NO_ANSWER', status: 404 });
  await assert.rejects(send(meet([json(200, {})])), { code: 'NO_ANSWER', status: 200 });
});

test('a signal aborts a call: before it starts, while it is sent, and while it waits', async () => {
  const reason = new Error('enough');
  const call = (met: Met, signal: AbortSignal) => met.palaver.messageById({ messageId: 'm' }, { signal });
  const before = meet([done]);
  await assert.rejects(call(before, AbortSignal.abort(reason)), reason);
  assert.equal(before.sent.length, 0);

  const underWay = new AbortController();
  setTimeout(() => underWay.abort(reason), 20);
  await assert.rejects(call(meet([silent]), underWay.signal), reason);

  const waiting = new AbortController();
  const met = meet([lost], { onRetry: () => waiting.abort(reason) });
  await assert.rejects(call(met, waiting.signal), reason);
  assert.equal(met.sent.length, 1);
});

test('onRetry is called for each failure that is followed by another attempt', async () => {
  const told: [string, number, number][] = [];
  const onRetry = (error: PalaverError, ms: number) => told.push([error.code, error.attempts, ms]);
  await send(meet([lost, failed(503), turn('3'), done], { onRetry }));
  assert.deepEqual(told, [
    ['NO_ANSWER', 1, 250],
    ['INTERNAL_ERROR', 2, 500],
    ['RATE_LIMITED', 3, 3_000],
  ]);
});

test('raw requests are retried too', async () => {
  const { palaver, sent } = meet([failed(503), failed(404, 'NOT_FOUND')]);
  const { data, error, response } = await palaver.GET('/api/v1/users/{userId}', {
    params: { path: { userId: 'u' } },
  });
  assert.deepEqual([data, error?.error.code, response.status, sent.length], [undefined, 'NOT_FOUND', 404, 2]);
});

test('a malformed address or key is rejected immediately', () => {
  const made =
    (baseUrl: string, key = 'k') =>
    () =>
      createPalaver({ baseUrl, key });
  for (const address of ['', 'localhost:8080', '/here', 'http://', 'http://a b']) {
    assert.throws(made(address), TypeError, address);
  }
  assert.throws(made('http://palaver', 'two\nlines'), TypeError);
  assert.throws(made(undefined as never), TypeError);
  assert.doesNotThrow(made('https://palaver/chat/', 'a key\n'));
});

test('an identifier that would change the path is rejected', async () => {
  const { palaver, sent } = meet([done]);
  for (const messageId of ['', '.', '..', undefined as never]) {
    await assert.rejects(palaver.messageById({ messageId }), TypeError);
  }
  assert.equal(sent.length, 0);
  assert.ok(new PalaverError({ code: 'NO_ANSWER', status: 0, message: '' }) instanceof Error);
});
