import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { realAround } from '../../../web/replica/around.ts';
import { Replica } from '../../../web/replica/replica.ts';
import { Streaming } from '../../../web/replica/streaming.ts';
import type { Api } from '../../../web/replica/types.ts';

/** A message that is being streamed and reads "Hel" so far, with the requests for it. */
function stage() {
  const replica = new Replica(() => {});
  const timers: { ms: number; run: () => void }[] = [];
  const after = (ms: number, run: () => void) => {
    timers.push({ ms, run });
    return () => {};
  };
  const asked: PromiseWithResolvers<{ content: string; stream: string | null }>[] = [];
  const messageById = () => {
    const request = Promise.withResolvers<{ content: string; stream: string | null }>();
    asked.push(request);
    return request.promise;
  };
  const api = (() => ({ messageById })) as unknown as Api;
  const streaming = new Streaming(replica, api, { ...realAround, after });
  const put = (content: string, stream: string | null = 'open') => {
    const begun = replica.marks.begin();
    replica.reading(begun, { message: [{ id: 'm', serverId: 'server', content, stream } as never] });
    replica.marks.end(begun);
  };
  put('Hel');
  const append = (offset: number, text: string) =>
    streaming.append('server', { messageId: 'm', offset, text } as never);
  /** Runs the timers, and returns their delays and the content after them. */
  const pass = async () => {
    await turn();
    const due = timers.splice(0);
    for (const { run } of due) run();
    return { delays: due.map(({ ms }) => ms), content: replica.row('message', 'm')?.content };
  };
  return { replica, streaming, asked, put, append, pass };
}

test('pieces that arrive within 80 ms are shown together', async () => {
  const { replica, asked, append, pass, put } = stage();
  append(3, 'lo');
  append(5, ' you');
  assert.deepEqual(await pass(), { delays: [80], content: 'Hello you' });
  append(5, ' there');
  assert.deepEqual(await pass(), { delays: [80], content: 'Hello there' }, 'a piece may repeat text');
  put('Hello there, all');
  append(16, ' of you');
  assert.equal((await pass()).content, 'Hello there, all of you', 'a read may return more text');
  assert.deepEqual([asked.length, replica.marks.isReading], [0, false]);
});

test('pieces after a gap are added once the message was read', async () => {
  const { asked, append, pass } = stage();
  append(5, ' you');
  append(9, '!');
  assert.deepEqual(await pass(), { delays: [], content: 'Hel' });
  assert.equal(asked.length, 1);
  asked[0]?.resolve({ content: 'Hello', stream: 'open' });
  assert.deepEqual(await pass(), { delays: [80], content: 'Hello you!' });
  assert.equal(asked.length, 1);
});

test('at most 500 pieces are buffered after a gap, and the rest are read', async () => {
  const { asked, append, pass } = stage();
  for (let offset = 5; offset < 600; offset++) append(offset, 'x');
  asked[0]?.resolve({ content: 'Hello', stream: 'open' });
  assert.equal((await pass()).content, `Hello${'x'.repeat(500)}`);
  append(600, 'x');
  assert.equal(asked.length, 2);
});

test('a read that failed is repeated after 2 s, and its pieces are kept', async () => {
  for (const status of [undefined, 399, 429, 500]) {
    const { asked, append, pass } = stage();
    append(5, ' you');
    asked[0]?.reject(Object.assign(new Error('failed'), { status }));
    await turn();
    append(9, '!');
    assert.deepEqual((await pass()).delays, [2_000], `${status}`);
    asked[1]?.resolve({ content: 'Hello', stream: 'open' });
    assert.equal((await pass()).content, 'Hello you!');
    assert.equal(asked.length, 2);
  }
});

test('a read that was rejected is not repeated, and later pieces start anew', async () => {
  for (const status of [400, 403, 499]) {
    const { asked, append, pass } = stage();
    append(5, ' you');
    asked[0]?.reject(Object.assign(new Error('refused'), { status }));
    assert.deepEqual((await pass()).delays, [], `${status}`);
    append(3, 'lo');
    assert.equal((await pass()).content, 'Hello');
    assert.equal(asked.length, 1);
  }
});

test('pieces of a complete message are discarded', async () => {
  const { streaming, asked, append, pass, put } = stage();
  append(5, ' you');
  asked[0]?.resolve({ content: 'Hello you', stream: null });
  assert.deepEqual(await pass(), { delays: [], content: 'Hel' }, 'the event with the text follows');
  append(3, 'lo');
  put('Done', null);
  assert.equal((await pass()).content, 'Done');
  streaming.renew();
  assert.equal(asked.length, 1, 'a complete message is not read');
  append(4, '!');
  assert.deepEqual(await pass(), { delays: [], content: 'Done' });
});

test('after an interruption, messages that are still open are read once', async () => {
  const { streaming, asked, append, pass, put } = stage();
  streaming.renew();
  assert.equal(asked.length, 1, 'pieces may have been missed before the first one that arrived');
  append(3, 'lo');
  streaming.end('m');
  for (let time = 0; time < 2; time++) streaming.renew();
  assert.equal(asked.length, 1);
  asked[0]?.resolve({ content: 'Hello you', stream: 'open' });
  assert.equal((await pass()).content, 'Hello you');
  put('Done', null);
  streaming.end('m');
  streaming.renew();
  assert.equal(asked.length, 1);
});

test('a piece of a message that is being read is applied after the read', async () => {
  for (const [read, shown, requests] of [
    ['Hello', 'Hello you', 0],
    ['Hello you, Bob', 'Hello you, Bob', 0],
    ['Hel', 'Hello you', 1],
  ] as const) {
    const { replica, asked, streaming, pass } = stage();
    const begun = replica.marks.begin();
    const delta = { messageId: 'n', offset: 5, text: ' you' } as never;
    streaming.append('server', delta);
    const first = await pass();
    assert.deepEqual(first.delays, [2_000], 'waits for the read');
    replica.reading(begun, {
      message: [{ id: 'n', serverId: 'server', content: read, stream: 'open' } as never],
    });
    replica.marks.end(begun);
    assert.deepEqual((await pass()).delays, [2_000], 'the read was still in flight');
    assert.equal(asked.length, requests, read);
    asked[0]?.resolve({ content: 'Hello', stream: 'open' });
    await pass();
    assert.equal(replica.row('message', 'n')?.content, shown);
  }
});

test('pieces of messages that no read may return are discarded', async () => {
  const { asked, streaming, pass } = stage();
  streaming.append('server', { messageId: 'n', offset: 5, text: ' you' } as never);
  assert.deepEqual((await pass()).delays, []);
  assert.equal(asked.length, 0);
});
