// @run sqlite: compression is the same on every engine
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { EventStream } from '../support/eventStream.ts';
import { exactly, textOf } from '../support/exact.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { type Json, World } from '../support/world.ts';

let world: World;
let scene: Scene;
let small: string;
let middle: string;
let large: string;
let huge: string;
/** A page that is cached, with its compressed forms. */
let latest: string;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
  const channel = await scene.channel();
  small = `/channels/${channel.id}`;
  middle = `${small}/messages?limit=10`;
  latest = `${small}/messages`;
  large = `${small}/messages?limit=100`;
  const thread = await scene.thread();
  huge = `/threads/${thread.id}`;
  for (let index = 0; index < 100; index++)
    await scene.message({ channelId: channel.id, content: 'So be it' });
  const content = `${'🦈 the shark '.repeat(600)}`;
  await Promise.all(Array.from({ length: 60 }, () => scene.message({ threadId: thread.id, content })));
});
after(() => world.close());

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  exactly(
    `${world.url}/api/v1${path}`,
    { authorization: `Bearer ${scene.admin.key}`, ...headers },
    { method },
  );

const codings: [accepted: string, coding: string | undefined][] = [
  ['br', 'br'],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['GZIP, deflate', 'gzip'],
  ['gzip, deflate, br, zstd', 'zstd'],
  ['zstd', 'zstd'],
  ['gzip, zstd', 'zstd'],
  ['gzip, deflate, br', 'br'],
  ['zstd;q=0.8, gzip', 'gzip'],
  ['br, zstd;q=0.9', 'br'],
  ['zstd;q=0, gzip', 'gzip'],
  ['gzip;q=1.0, br;q=0.9', 'gzip'],
  ['br;q=0, gzip;q=0.001', 'gzip'],
  ['br ; q=0.5 , gzip ; q=0.4', 'br'],
  ['*', 'zstd'],
  ['*, zstd;q=0', 'br'],
  ['*, br;q=0, zstd;q=0', 'gzip'],
  ['gzip;q=0.5, identity;q=0.6', undefined],
  ['gzip;q=0.5, identity;q=0.5', 'gzip'],
  ['identity;q=0, gzip', 'gzip'],
  ['identity', undefined],
  ['identity;q=0', undefined],
  ['*;q=0', undefined],
  ['deflate, compress', undefined],
  ['br;q=0.000, gzip;q=0', undefined],
  ['br;q=nothing', undefined],
  ['br;q=2', undefined],
  ['brotli', undefined],
  [';;,,=;q=,', undefined],
  ['', undefined],
];

test('a response over 1 KB is compressed with the encoding that its client prefers', async () => {
  for (const path of [middle, large, huge, latest]) {
    const plain = await get(path);
    assert.equal(plain.headers['content-encoding'], undefined);
    assert.match(plain.headers.vary ?? '', /accept-encoding/);
    for (const [accepted, coding] of codings) {
      const given = await get(path, { 'accept-encoding': accepted });
      const context = `${path} "${accepted}"`;
      assert.equal(given.status, 200, context);
      assert.equal(given.headers['content-encoding'], coding, context);
      assert.match(given.headers.vary ?? '', /accept-encoding/, context);
      assert.equal(given.headers['content-length'], String(given.bytes.length), context);
      assert.equal(textOf(given), textOf(plain), context);
      if (coding) assert.ok(given.bytes.length < plain.bytes.length / 3, context);
    }
  }
});

test('the responses in this file cover every way to compress: synchronous, in a worker, and in chunks', async () => {
  const sizes = await Promise.all([middle, large, huge].map(async (path) => (await get(path)).bytes.length));
  const [ofMiddle = 0, ofLarge = 0, ofHuge = 0] = sizes;
  assert.ok(ofMiddle > 1024 && ofMiddle < 16_000, String(ofMiddle));
  assert.ok(ofLarge > 17_000 && ofLarge < 64_000, String(ofLarge));
  assert.ok(ofHuge > 400_000, String(ofHuge));
});

test('a small response is not compressed unless its client rejects identity', async () => {
  for (const accepted of ['br', 'zstd', 'gzip, deflate, br, zstd', '*', 'identity;q=0', '*;q=0']) {
    const given = await get(small, { 'accept-encoding': accepted });
    assert.equal(given.headers['content-encoding'], undefined, accepted);
    assert.ok(given.bytes.length < 1024);
  }
  for (const accepted of ['identity;q=0, br', 'gzip, *;q=0']) {
    const given = await get(small, { 'accept-encoding': accepted });
    assert.ok(given.headers['content-encoding'], accepted);
    assert.equal(textOf(given), textOf(await get(small)));
  }
});

test('a page of events is compressed, but a stream is not', async () => {
  const page = await get('/events?limit=100', { 'accept-encoding': 'br' });
  assert.equal(page.headers['content-encoding'], 'br');
  assert.equal(JSON.parse(textOf(page)).data.length, 100);
  const after = JSON.parse(textOf(await get('/events?limit=1'))).nextCursor;
  const stream = await EventStream.open(world, scene.admin.key, { after }, { 'accept-encoding': 'br, gzip' });
  assert.equal(stream.headers['content-encoding'], undefined);
  await stream.event(({ type }) => type === 'message.created');
  stream.close();
});

test('a response that contains a new key is not compressed', async () => {
  // The response exceeds 1 KB because of text that the client controls, as in a BREACH attack.
  const fields = { kind: 'apiKey', name: '🦈'.repeat(100) };
  const role = await scene.role({ name: '🦈'.repeat(100) });
  for (const body of [fields, { ...fields, roleId: role.id }]) {
    const given = await exactly(
      `${world.url}/api/v1/secrets`,
      {
        authorization: `Bearer ${scene.admin.key}`,
        'content-type': 'application/json',
        'accept-encoding': 'identity;q=0, br',
      },
      { method: 'POST', body: JSON.stringify(body) },
    );
    assert.equal(given.headers['content-encoding'], undefined);
    assert.match(textOf(given), /sk_live_/);
  }
});

test('HEAD returns the headers of the compressed response', async () => {
  for (const path of [small, middle, large, huge, latest]) {
    const headers = { 'accept-encoding': 'gzip' };
    const [head, whole] = [await get(path, headers, 'HEAD'), await get(path, headers)];
    for (const name of ['content-encoding', 'content-length', 'content-type', 'vary', 'etag'])
      assert.equal(head.headers[name], whole.headers[name], `${path} ${name}`);
    assert.equal(head.bytes.length, 0);
  }
});

test('a compressed request body is rejected, and the error names Content-Encoding', async () => {
  const { id: channelId } = await scene.channel();
  const body = { channelId, content: 'A bomb?' };
  const raw = new Uint8Array(gzipSync(JSON.stringify(body)));
  const headers = {
    authorization: `Bearer ${scene.admin.key}`,
    'content-type': 'application/json',
  };
  for (const coding of ['gzip', 'br', 'deflate, gzip', 'nothing', '']) {
    const given = await world.request('POST', '/messages', {
      raw,
      headers: { ...headers, 'content-encoding': coding },
    });
    assertRefused(given, 'INVALID_REQUEST');
    assert.match(given.body.error.message, /Content-Encoding/, coding);
  }
  const { token } = await scene.webhook({ direction: 'in', url: undefined, channelId, name: 'Reports' });
  const hook = await world.request('POST', `${world.url}/hooks/${token}`, {
    raw,
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  });
  assertRefused(hook, 'INVALID_REQUEST');
  assert.match(hook.body.error.message, /Content-Encoding/);
  const whole = await world.request('POST', '/messages', {
    raw: JSON.stringify(body),
    headers: { ...headers, 'content-encoding': 'Identity' },
  });
  const { id }: Json = dataOf(whole);
  const messages = dataOf(await scene.admin.get(`/channels/${channelId}/messages`));
  assert.deepEqual(
    messages.map((message: Json) => message.id),
    [id],
  );
});
