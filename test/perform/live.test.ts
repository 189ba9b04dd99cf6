// @run sqlite: uses no database
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { FastifyReply } from 'fastify';
import type { Viewer } from '../../server/src/access/visibility.ts';
import type { EventKind } from '../../server/src/feed/eventKind.ts';
import type { LiveEvent, LoggedEvent } from '../../server/src/feed/logged.ts';
import { Reader } from '../../server/src/feed/reader.ts';
import type { Reading } from '../../server/src/feed/reading.ts';
import { SeveralReaders } from '../../server/src/feed/several.ts';
import type { Tail } from '../../server/src/feed/tail.ts';
import { EventStream } from '../../server/src/http/streams/stream.ts';
import { draftEvents } from '../../server/src/resources/reading/draftRecord.ts';

// Live events are not logged, so a stream that drops or reorders one cannot repeat it.

const viewer = { userId: 'user', serverId: 'server', isSignedIn: true } as unknown as Viewer;

const liveEvent = (type: string, of: Partial<LiveEvent> = {}): LiveEvent =>
  ({ type, serverId: 'server', channelId: null, ownerId: 'user', json: type, ...of }) as LiveEvent;

test('live events keep their order while the viewer loads for the first of them', async () => {
  let authority = 1;
  const loads: (() => void)[] = [];
  const reader = new Reader(
    { authorityVersion: () => authority, authorityHasChanged: () => true },
    { logId: 'server', latest: { seq: 0 }, listeners: new Set() } as unknown as Tail,
    {},
    () => new Promise((resolve) => loads.push(() => resolve(viewer))),
  );
  const told: string[] = [];
  reader.tellLive = ({ json }) => told.push(json);
  const tell = (json: string) =>
    reader.onLive(liveEvent('draft.updated', { json, kind: draftEvents.updated as EventKind }));
  const load = async () => {
    for (let turn = 0; turn < 10; turn++) await undefined;
    loads.pop()?.();
    for (let turn = 0; turn < 10; turn++) await undefined;
  };
  tell('first');
  tell('second');
  // The later request completes first.
  for (let count = 0; count < 2; count++) await load();
  tell('third');
  assert.deepEqual(told, ['first', 'second', 'third']);
  authority++;
  tell('fourth');
  authority++;
  tell('fifth');
  for (let count = 0; count < 3; count++) await load();
  assert.deepEqual(told.slice(3), ['fourth', 'fifth']);
});

test('a reader whose viewer fails to load for a live event is closed, because the event cannot be repeated', async () => {
  const reader = new Reader(
    { authorityVersion: () => 1, authorityHasChanged: () => true },
    { logId: 'server', latest: { seq: 0 }, listeners: new Set() } as unknown as Tail,
    {},
    () => Promise.reject(new Error('out of reach')),
  );
  const lost = new Promise<string>((resolve) => (reader.onLost = () => resolve('lost')));
  reader.onLive(liveEvent('draft.updated', { kind: draftEvents.updated as EventKind }));
  assert.equal(await Promise.race([lost, new Promise((resolve) => setImmediate(resolve))]), 'lost');
});

/** Opens a stream over HTTP, lets `act` use it, and resolves with the response. */
async function streamed(
  act: (stream: EventStream, reading: Reading, response: ServerResponse) => void,
): Promise<{ answer: Response; close: () => void }> {
  const reading = { next: async () => [], isAtEnd: true, close() {} } as unknown as Reading;
  const server = createServer((_request, raw: ServerResponse) => {
    const reply = { raw, hijack() {}, getHeaders: () => ({}) } as unknown as FastifyReply;
    act(new EventStream(reply, reading, { opening: ': \n\n', beat: () => '' }, () => {}), reading, raw);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return { answer, close: () => server.close() };
}

test('a stream that is reading its log passes on live events immediately, except indicators, which would be stale', async () => {
  const { answer, close } = await streamed((stream, reading) => {
    let isRead: (events: []) => void = () => {};
    reading.next = () => new Promise((resolve) => (isRead = resolve));
    void stream.catchUp();
    for (const type of ['indicator.created', 'draft.updated', 'indicator.deleted', 'presence.updated'])
      reading.tellLive(liveEvent(type));
    isRead([]);
    setImmediate(() => stream.end());
  });
  assert.equal(await answer.text(), ': \n\ndata: draft.updated\n\ndata: presence.updated\n\n');
  close();
});

test('a client that does not read is disconnected once a mebibyte of live events is queued for it', async () => {
  let most = 0;
  const gone = Promise.withResolvers<void>();
  const { answer, close } = await streamed((_stream, reading, { socket }) => {
    socket?.on('close', gone.resolve);
    // The operating system buffers some megabytes for a client that does not read.
    const tell = () => {
      if (socket?.destroyed) return;
      reading.tellLive(liveEvent('draft.updated', { json: 'x'.repeat(16_384) }));
      most = Math.max(most, socket?.writableLength ?? 0);
      setImmediate(tell);
    };
    tell();
  });
  await gone.promise;
  await assert.rejects(answer.text());
  close();
  assert.ok(most > 1_048_576 && most < 1_048_576 + 65_536, `${most} bytes`);
});

test('a client that slowly reads a large page of the log is not disconnected by live events in the meantime', async () => {
  const isBehind = Promise.withResolvers<void>();
  let ended = false;
  const large = 'x'.repeat(24 * 1024 * 1024);
  const { answer, close } = await streamed((stream, reading, { socket }) => {
    reading.next = async () => [{ id: 'large', json: large }] as LoggedEvent[];
    void stream.catchUp().then(() => {
      assert.ok((socket?.writableLength ?? 0) > 1_048_576, 'more than the limit is queued');
      for (const json of ['first', 'second']) reading.tellLive(liveEvent('draft.updated', { json }));
      ended = socket?.destroyed ?? true;
      isBehind.resolve();
      socket?.once('drain', () => stream.end());
    });
  });
  await isBehind.promise;
  assert.equal(ended, false);
  assert.ok((await answer.text()).endsWith('data: first\n\ndata: second\n\n'));
  close();
});

test('logs read together return about a mebibyte at a time, taking turns', async () => {
  const large = { json: 'x'.repeat(700_000) };
  const readers = ['one', 'two', 'three'].map((logId) => {
    const reader = { logId, isAtEnd: false, close() {}, next: async () => [{ logId, ...large }] };
    return reader as unknown as Reader;
  });
  const several = new SeveralReaders(readers);
  const logs = async () => (await several.next(10)).map(({ logId }) => logId);
  assert.deepEqual(
    [await logs(), await logs()],
    [
      ['one', 'two'],
      ['three', 'one'],
    ],
  );
});

test('a log that is removed while another is being read yields no more events', async () => {
  class Some extends SeveralReaders {
    override remove = (logId: string) => super.remove(logId);
  }
  const readerOf = (logId: string, next: () => Promise<object[]>) =>
    ({ logId, isAtEnd: false, next, close() {} }) as unknown as Reader;
  const some = new Some([
    readerOf('left', async () => [{ logId: 'left', json: '{}' }]),
    readerOf('other', async () => {
      some.remove('left');
      return [{ logId: 'other', json: '{}' }];
    }),
  ]);
  assert.deepEqual(await some.next(10), [{ logId: 'other', json: '{}' }]);
});
