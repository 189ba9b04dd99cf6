import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pathOf, reads } from '../rows/index.ts';
import { exactly, textOf } from '../support/exact.ts';
import { assertRefused } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { type Client, type Json, World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
});
after(() => world.close());

const get = (path: string, headers: Record<string, string> = {}, client: Client = scene.admin) =>
  exactly(`${world.url}/api/v1${path}`, { authorization: `Bearer ${client.key}`, ...headers });

const records = reads.filter(({ listings, name }) => !listings && name !== 'threadWithMessages');

for (const row of records) {
  test(`${row.name}: responds 304 if the client has the current version`, async () => {
    const { id } = await row.ready(scene);
    const path = pathOf(row, id);
    // The first request with a key updates the key's lastUsedAt, which changes the tag.
    await get(path);
    const first = await get(path);
    assert.equal(first.status, 200);
    const { etag = '' } = first.headers;
    if (row.path.endsWith('/me')) return assert.match(etag, /^W\//);
    assert.match(etag, /^W\/"[\w-]{22}"$/);
    assert.equal(first.headers['cache-control'], 'private, no-cache');
    assert.match(first.headers.vary ?? '', /authorization/);
    const again = await get(path, { 'if-none-match': etag });
    assert.equal(again.status, 304);
    assert.equal(again.bytes.length, 0);
    for (const name of ['etag', 'cache-control', 'vary', 'content-type', 'content-length'])
      assert.equal(again.headers[name], name.startsWith('content') ? undefined : first.headers[name], name);
    assert.ok(again.headers['x-request-id']);
  });
}

test('the table covers every read of a single record', () => {
  assert.ok(records.length >= 11, String(records.length));
});

test('If-None-Match follows RFC 9110', async () => {
  const path = `/channels/${(await scene.channel()).id}`;
  const { etag = '' } = (await get(path)).headers;
  const strong = etag.slice(2);
  for (const known of [etag, strong, '*', ' * ', `"a", ${etag}`, `W/"b",${strong} , "c"`, `${strong},`])
    assert.equal((await get(path, { 'if-none-match': known })).status, 304, known);
  for (const known of [
    '"other"',
    'W/"other"',
    strong.slice(1, -1),
    `"${strong}"`,
    '',
    '"*"',
    `${strong}x`,
    '*, "a"',
  ])
    assert.equal((await get(path, { 'if-none-match': known })).status, 200, known);
  const head = await exactly(
    `${world.url}/api/v1${path}`,
    { authorization: `Bearer ${scene.admin.key}`, 'if-none-match': etag },
    { method: 'HEAD' },
  );
  assert.equal(head.status, 304);
});

test('the ETag is the same for every encoding, and a 304 has no Content-Encoding', async () => {
  const { id } = await scene.app({ description: 'the shark '.repeat(300) });
  const tags = new Set<string | undefined>();
  for (const coding of ['identity', 'gzip', 'br']) {
    const given = await get(`/apps/${id}`, { 'accept-encoding': coding });
    assert.equal(given.headers['content-encoding'], coding === 'identity' ? undefined : coding);
    tags.add(given.headers.etag);
    const again = await get(`/apps/${id}`, {
      'accept-encoding': coding,
      'if-none-match': given.headers.etag as string,
    });
    assert.equal(again.status, 304);
    assert.equal(again.headers['content-encoding'], undefined);
  }
  assert.equal(tags.size, 1);
});

test('changing any part of the response changes the ETag, including expanded records', async () => {
  const { id } = await scene.message();
  const path = `/messages/${id}`;
  const seen = new Set<string>();
  const look = async (query = '') => {
    const { headers } = await get(path + query, { 'if-none-match': [...seen].join() });
    const { etag = '' } = headers;
    assert.ok(!seen.has(etag), etag);
    seen.add(etag);
  };
  await look();
  await scene.make('/reactions', { messageId: id, emoji: '👍' });
  await look();
  await scene.make('/pins', { messageId: id });
  await look();
  await scene.admin.patch(path, { content: 'Better' });
  await look();
  await look('?expand=creator');
});

test('the ETag reveals nothing to callers who cannot read the record', async () => {
  const hidden = await scene.channel({ private: true });
  const { etag = '' } = (await get(`/channels/${hidden.id}`)).headers;
  const member = await world.client(scene.server);
  for (const known of [etag, '*']) {
    const given = await member.get(`/channels/${hidden.id}`, { 'if-none-match': known });
    assertRefused(given, 'FORBIDDEN');
    assert.equal(given.headers.get('etag'), null);
    assert.match(given.headers.get('cache-control') ?? '', /no-store/);
    assertRefused(
      await world.as('').get(`/channels/${hidden.id}`, { 'if-none-match': known }),
      'UNAUTHORIZED',
    );
  }
});

test('lists, writes and errors have no ETag and are not cached', async () => {
  const { id } = await scene.channel();
  const headers = { 'if-none-match': '*' };
  for (const given of [
    await scene.admin.get(`/channels/${id}/messages`, headers),
    await scene.admin.patch(`/channels/${id}`, { description: 'x' }, headers),
    await scene.admin.post('/channels', { name: world.unique() }, headers),
    await scene.admin.get('/channels/nothing', headers),
    await scene.admin.delete(`/channels/${id}`, undefined, headers),
  ] as { status: number; headers: Headers; data: Json }[]) {
    assert.notEqual(given.status, 304);
    assert.equal(given.headers.get('etag'), null);
    assert.equal(given.headers.get('cache-control'), 'no-store');
  }
});

test('the OpenAPI document has a different ETag for each encoding', async () => {
  const url = `${world.url}/openapi.json`;
  const tags = new Set<string | undefined>();
  for (const coding of ['identity', 'gzip', 'br']) {
    const given = await exactly(url, { 'accept-encoding': coding });
    assert.match(given.headers.etag ?? '', /^"/);
    tags.add(given.headers.etag);
    assert.ok(textOf(given).startsWith('{"openapi"'));
    for (const known of [given.headers.etag as string, '*'])
      assert.equal((await exactly(url, { 'accept-encoding': coding, 'if-none-match': known })).status, 304);
  }
  assert.equal(tags.size, 3);
});
