import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outboxStage } from '../../support/outboxStage.ts';

test('messages of a channel are sent in order, one at a time, and those of other channels and threads in parallel', async () => {
  const { send, asked, shown, outbox } = outboxStage();
  for (const content of ['one', 'two']) void send(content);
  void send('in a thread', { threadId: 'thread' });
  void send('elsewhere', { channelId: 'other', replyToId: 'message', attachmentIds: ['file'] });
  const [one, inThread, elsewhere, ...more] = asked();
  assert.deepEqual(more, []);
  assert.deepEqual(one?.body, { channelId: 'channel', content: 'one' });
  assert.deepEqual(inThread?.body, { threadId: 'thread', content: 'in a thread' });
  const files = { replyToId: 'message', attachmentIds: ['file'] };
  assert.deepEqual(elsewhere?.body, { channelId: 'other', content: 'elsewhere', ...files });
  assert.deepEqual([shown(), shown('thread')], [['one sending', 'two waiting'], ['in a thread sending']]);
  await one?.accept();
  assert.deepEqual([shown(), shown('thread')], [['two sending'], ['in a thread sending']]);
  await asked()[0]?.accept();
  assert.deepEqual(shown(), []);
  void send('three');
  assert.deepEqual(
    asked().map(({ body }) => body.content),
    ['three'],
  );
  assert.equal(outbox.unsent, 3);
});

test('a message that cannot be sent is retried with its key, after pauses that double up to 30 s', async () => {
  for (const status of [0, 401, 408, 429, 500, 503]) {
    const { send, asked, shown, clock, outbox } = outboxStage();
    clock.randomness = 1;
    const key = await send('hello');
    void send('next');
    const pauses: number[] = [];
    for (let attempt = 0; attempt < 7; attempt++) {
      const [request, ...more] = asked();
      assert.deepEqual([request?.key, more.length], [key, 0]);
      await request?.refuse(status);
      assert.deepEqual(shown(), ['hello retrying', 'next waiting']);
      assert.equal(outbox.at('channel')[0]?.error?.status, status);
      pauses.push(...clock.delays);
      await clock.pass(clock.delays[0] ?? 0);
    }
    assert.deepEqual(pauses, [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    assert.deepEqual([outbox.hasStopped('channel'), outbox.isUnsafe], [false, false]);
    await asked()[0]?.accept();
    assert.deepEqual(shown(), ['next sending']);
  }
});

test('pauses are shortened at random by up to half, and a new message starts with a short pause', async () => {
  const { send, asked, clock } = outboxStage();
  void send('hello');
  for (const pause of [500, 1_000]) {
    await asked()[0]?.refuse(500);
    assert.deepEqual(clock.delays, [pause]);
    await clock.pass(pause);
  }
  clock.randomness = 0.5;
  await asked()[0]?.refuse(500);
  assert.deepEqual(clock.delays, [3_000]);
  await clock.pass(3_000);
  await asked()[0]?.accept();
  void send('next');
  await asked()[0]?.refuse(500);
  assert.deepEqual(clock.delays, [750]);
});

test('a pause ends when the connection is back or the person retries, and the pause is not repeated', async () => {
  for (const how of ['wake', 'retry'] as const) {
    const { send, asked, clock, outbox, shown } = outboxStage();
    const key = await send('hello');
    await asked()[0]?.refuse(500);
    assert.equal(asked().length, 0);
    outbox[how](key);
    await clock.pass(0);
    assert.deepEqual(clock.delays, [], how);
    const [request, ...more] = asked();
    assert.deepEqual([request?.key, more.length], [key, 0], how);
    assert.deepEqual(shown(), ['hello sending']);
    assert.equal(outbox.at('channel')[0]?.error, undefined);
    outbox[how](key);
    assert.deepEqual([asked(), shown()], [[], ['hello sending']], 'a message being sent is not sent twice');
    await request?.accept();
    assert.deepEqual(shown(), []);
  }
});

test('messages wait while there is no connection, and are sent when it is back', async () => {
  let isLost = true;
  const { send, asked, shown, clock, outbox } = outboxStage({ isLost: () => isLost });
  assert.deepEqual(shown(), []);
  void send('hello');
  void send('elsewhere', { channelId: 'other' });
  await clock.pass(10_000);
  assert.deepEqual([asked().length, shown(), outbox.unsent], [0, ['hello waiting'], 2]);
  isLost = false;
  outbox.wake();
  await clock.pass(0);
  assert.equal(asked().length, 2);
});

test('messages are sent within 30 s if nothing reports that the connection is back', async () => {
  let isLost = true;
  const { send, asked, clock } = outboxStage({ isLost: () => isLost });
  clock.randomness = 1;
  void send('hello');
  assert.deepEqual(clock.delays, [30_000]);
  isLost = false;
  await clock.pass(30_000);
  assert.equal(asked().length, 1);
});

test('a refused message stays until the person retries it, and does not block the next message', async () => {
  for (const status of [400, 403, 404, 413, 499]) {
    const { send, asked, shown, clock, outbox, stored } = outboxStage();
    const key = await send('hello');
    void send('next');
    await asked()[0]?.refuse(status);
    assert.deepEqual(shown(), ['hello refused', 'next sending'], `${status}`);
    assert.equal(outbox.at('channel')[0]?.error?.code, `CODE_${status}`);
    assert.deepEqual([outbox.hasStopped('channel'), outbox.hasStopped('other')], [true, false]);
    await asked()[0]?.accept();
    await clock.pass(60_000);
    assert.deepEqual([asked().length, outbox.unsent, outbox.isUnsafe], [0, 1, false]);
    assert.deepEqual(await stored(), ['hello']);
    outbox.retry(key);
    assert.equal(outbox.at('channel')[0]?.error, undefined);
    assert.equal(outbox.hasStopped('channel'), false);
    const [request] = asked();
    assert.equal(request?.key, key);
    await request?.refuse(500);
    assert.deepEqual(clock.delays, [500], 'the delays start over');
    await clock.pass(500);
    await asked()[0]?.accept();
    assert.deepEqual([shown(), await stored(), outbox.unsent], [[], [], 0]);
    for (const how of ['retry', 'discard'] as const) outbox[how](key);
    assert.deepEqual([asked(), shown()], [[], []], 'a sent message can neither be retried nor discarded');
  }
});

test('a channel with a refused message in a thread needs attention', async () => {
  const { send, asked, outbox, changes } = outboxStage();
  void send('hello', { threadId: 'thread' });
  void send('next');
  changes.length = 0;
  await asked()[0]?.refuse(403);
  assert.equal(outbox.hasStopped('channel'), true);
  for (const key of ['pending:thread', 'stopped:channel']) assert.ok(changes.includes(key), key);
});

test('a discarded message is no longer sent, and its response has no effect', async () => {
  const { send, asked, shown, stored, clock, outbox, arrived, replica } = outboxStage();
  const keys = [await send('one'), await send('two')];
  const [one] = asked();
  for (const key of keys) outbox.discard(key);
  assert.deepEqual([shown(), await stored(), one?.signal.aborted], [[], [], true]);
  await one?.accept();
  assert.deepEqual([arrived, replica.marks.isReading], [[], false]);
  await send('three');
  const [three] = asked();
  outbox.discard(three?.key ?? '');
  await three?.refuse(0);
  assert.deepEqual([shown(), await stored(), clock.delays, asked()], [[], [], [], []]);
});

test('nothing is sent after the session has stopped, and unsent messages stay stored', async () => {
  const { send, asked, stored, clock, outbox } = outboxStage();
  for (const content of ['one', 'two']) await send(content);
  await send('elsewhere', { channelId: 'other' });
  const [one, elsewhere] = asked();
  await elsewhere?.refuse(500);
  outbox.stop();
  assert.equal(one?.signal.aborted, true);
  await one?.refuse(400);
  await clock.pass(60_000);
  assert.deepEqual([asked(), clock.delays], [[], []]);
  assert.deepEqual(await stored(), ['one', 'two', 'elsewhere']);
  assert.equal(outbox.hasStopped('channel'), false);
});
