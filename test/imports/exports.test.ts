import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openArchive } from '../../server/src/imports/archive.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { until } from '../support/process.ts';
import { Scene } from '../support/scene.ts';
import { find } from '../support/sources.ts';
import { plainBytes, upload } from '../support/uploads.ts';
import { type Client, type Json, TestClock, World } from '../support/world.ts';

const DAY_MS = 24 * 60 * 60_000;

const clock = new TestClock();
let world: World;
let scene: Scene;
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palaver-exports-'));
  world = await World.open({ clock, limits: { '*': 0 }, timers: true });
  scene = await Scene.open(world);
});
after(async () => {
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

const bytesOf = async (client: Client, id: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${world.url}/api/v1/exports/${id}/content`, {
    headers: { authorization: `Bearer ${client.key}`, ...headers },
  });

async function exported(body: object = {}): Promise<Json> {
  const { id } = dataOf(await scene.admin.post(`/servers/${scene.server.id}/exports`, body));
  let found: Json = {};
  await until(async () => {
    await world.node.clock?.look();
    found = dataOf(await scene.admin.get(`/exports/${id}`));
    return found.state !== 'running';
  });
  return found;
}

test('an export is an archive that can be imported, without direct messages', async () => {
  const channel = await scene.channel({ name: 'harbour', private: true });
  const file = dataOf(await upload(world, scene.admin, plainBytes(5_000), 'a.txt'));
  const body = { channelId: channel.id, content: 'Hello', attachmentIds: [file.id] };
  const { id: messageId } = dataOf(await scene.admin.post('/messages', body));
  const found = await exported();
  assert.equal(found.state, 'done');
  const response = await bytesOf(scene.admin, found.id);
  const bytes = Buffer.from(await response.arrayBuffer());
  assert.equal(bytes.length, found.bytes);
  assert.equal(response.headers.get('content-type'), 'application/zip');
  const path = join(folder, 'all.zip');
  writeFileSync(path, bytes);
  const archive = await openArchive(path);
  try {
    await archive.verify();
    for (const name of ['manifest.json', 'manifest.sha256', 'messages.jsonl', 'index.html'])
      assert.ok(archive.has(name), name);
    const lines = await archive.open('messages.jsonl');
    const text = Buffer.concat(await Array.fromAsync(lines)).toString();
    assert.match(text, new RegExp(messageId));
    assert.equal(archive.paths.filter((each) => each.startsWith('files/')).length, 1);
  } finally {
    await archive.close();
  }
  const part = await bytesOf(scene.admin, found.id, { range: 'bytes=10-19' });
  assert.equal(part.status, 206);
  assert.deepEqual(Buffer.from(await part.arrayBuffer()), bytes.subarray(10, 20));
});

test('an export of a channel contains only that channel', async () => {
  const channel = await scene.channel();
  const other = await scene.channel();
  for (const { id: channelId } of [channel, other]) await scene.message({ channelId });
  const found = await exported({ channelId: channel.id });
  assert.deepEqual([found.state, found.channelId, found.messages], ['done', channel.id, 1]);
});

test('only admins can export, and only their own servers', async () => {
  const { id } = await exported();
  const path = `/servers/${scene.server.id}/exports`;
  const moderator = await world.client(scene.server, ['canModerate', 'canEditData', 'canEditApp']);
  const abroad = (await Scene.open(world)).admin;
  for (const client of [moderator, abroad]) {
    assertRefused(await client.post(path, {}), 'FORBIDDEN');
    assertRefused(await client.get(path), 'FORBIDDEN');
    assertRefused(await client.get(`/exports/${id}`), 'FORBIDDEN');
    assertRefused(await client.delete(`/exports/${id}`), 'FORBIDDEN');
    assert.equal((await bytesOf(client, id)).status, 403);
  }
  const unknown = scene.server.id;
  assertRefused(await scene.admin.get(`/exports/${unknown}`), 'NOT_FOUND');
  assert.equal((await bytesOf(scene.admin, unknown)).status, 404);
});

test('an export that was deleted, or is a week old, leaves no file', async () => {
  const [deleted, old] = [await exported(), await exported()];
  dataOf(await scene.admin.delete(`/exports/${deleted.id}`));
  clock.advance(8 * DAY_MS);
  assertRefused(await scene.admin.get(`/exports/${old.id}`), 'NOT_FOUND');
  await world.tidy();
  const store = await world.data.files.store;
  for (const { id } of [deleted, old]) {
    assert.equal(await store.sizeOf(id), undefined);
    assert.equal(await world.data.db.read.first(find('export', { id })), undefined);
  }
});

test('a server can have ten exports', async () => {
  const { admin, server } = await Scene.open(world);
  const path = `/servers/${server.id}/exports`;
  for (let count = 0; count < 10; count++) dataOf(await admin.post(path, {}));
  assertRefused(await admin.post(path, {}), 'INVALID_REQUEST');
});
