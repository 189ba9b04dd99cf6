import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, afterEach, before, test } from 'node:test';
import { refused } from '../support/addresses.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { html, Site } from '../support/previewSite.ts';
import { until } from '../support/process.ts';
import { Scene } from '../support/scene.ts';
import { q } from '../support/sources.ts';
import { type Json, World } from '../support/world.ts';

const previewTimers = q.selectFrom('timer').select('id').where('kind', '=', 'preview');

let world: World;
let scene: Scene;
let site: Site;
let url: string;
const pages: Record<string, (response: ServerResponse) => unknown> = {
  '/tide': (response) =>
    html(response, '<title>Tide</title><meta property="og:description" content="High water">'),
  '/moved': (response) => response.writeHead(302, { location: '/tide' }).end(),
  '/loop': (response) => response.writeHead(302, { location: '/loop' }).end(),
  '/json': (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"title":1}'),
  '/missing': (response) => html(response, '<title>Not found</title>', 404),
  '/large': (response) => html(response, `<title>Large</title>${'x'.repeat(2_000_000)}`),
};

before(async () => {
  world = await World.open({ limits: { '*': 0 }, timers: true, privateWebhooks: true });
  scene = await Scene.open(world);
  site = await Site.open(pages);
  url = site.url;
  dataOf(await scene.admin.patch(`/servers/${scene.server.id}`, { linkPreviews: true }));
});
afterEach(() => site.forget());
after(async () => {
  site.close();
  await world.close();
});

const read = async ({ id }: Json): Promise<Json> => dataOf(await scene.admin.get(`/messages/${id}`));
const send = async (channelId: string, content: string, client = scene.admin): Promise<Json> =>
  dataOf(await client.post('/messages', { channelId, content }));
/** Waits until a message has these previews, by their titles. */
async function withTitles(message: Json, titles: readonly string[]): Promise<Json> {
  let found: Json = {};
  await until(async () => {
    found = await read(message);
    return (found.blocks ?? []).map(({ title }: Json) => title).join() === titles.join();
  });
  return found;
}

test('a link gets a preview once its page has loaded', async () => {
  const { id: channelId } = await scene.channel();
  const sent = await send(channelId, `Look: ${url}/tide`);
  assert.equal(sent.blocks, undefined);
  const found = await withTitles(sent, ['Tide']);
  assert.deepEqual(found.blocks, [
    { type: 'preview', id: 'p1', url: `${url}/tide`, title: 'Tide', text: 'High water' },
  ]);
  assert.deepEqual([found.editedAt, found.content], [null, sent.content]);
  const [{ blocks }] = dataOf(await scene.admin.get(`/channels/${channelId}/messages`));
  assert.deepEqual(blocks, found.blocks);
  const { data: events } = (await scene.admin.get('/events?wait=0&limit=100&types=message.updated')).body;
  assert.deepEqual(events.at(-1)?.data.blocks, found.blocks);
});

test('at most three links have previews, and pages without a title have none', async () => {
  const { id: channelId } = await scene.channel();
  const links = ['moved', 'a', 'b', 'c'].map((path) => `${url}/${path}`).join(' ');
  await withTitles(await send(channelId, links), ['Tide', '/a', '/b']);
  assert.ok(!site.requested.includes('/c'));
  const bad = ['loop', 'json', 'missing'].map((path) => `${url}/${path}`).join(' ');
  const none = await send(channelId, bad);
  await withTitles(await send(channelId, `${url}/large`), ['Large']);
  await until(() => Promise.resolve(site.requested.filter((path) => path === '/loop').length === 4));
  assert.equal((await read(none)).blocks, undefined);
});

test('an edit keeps the previews for remaining links, and adds previews for new links', async () => {
  const { id: channelId } = await scene.channel();
  const sent = await send(channelId, `${url}/one ${url}/two`);
  await withTitles(sent, ['/one', '/two']);
  dataOf(await scene.admin.patch(`/messages/${sent.id}`, { content: `Now ${url}/two` }));
  assert.deepEqual(
    (await read(sent)).blocks.map(({ title }: Json) => title),
    ['/two'],
  );
  dataOf(await scene.admin.patch(`/messages/${sent.id}`, { content: `${url}/three ${url}/two` }));
  await withTitles(sent, ['/three', '/two']);
  dataOf(await scene.admin.patch(`/messages/${sent.id}`, { content: 'Nothing' }));
  assert.equal((await read(sent)).blocks, undefined);
});

test('only the author can remove previews, and they do not return', async () => {
  const [person, other] = [
    await world.client(scene.server, ['canEditData']),
    await world.client(scene.server, ['canEditData']),
  ];
  const { id: channelId } = await scene.channel();
  const sent = await send(channelId, `${url}/mine`, person);
  await withTitles(sent, ['/mine']);
  assertRefused(await other.patch(`/messages/${sent.id}`, { blocks: [] }), 'FORBIDDEN');
  dataOf(await person.patch(`/messages/${sent.id}`, { blocks: [] }));
  const removed = await read(sent);
  assert.deepEqual([removed.blocks, removed.editedAt], [undefined, null]);
  site.forget();
  dataOf(await person.patch(`/messages/${sent.id}`, { content: `Again ${url}/mine` }));
  await withTitles(await send(channelId, `${url}/other`), ['/other']);
  assert.equal((await read(sent)).blocks, undefined);
  assert.deepEqual(site.requested, ['/other']);
});

test('clients cannot send previews, and nothing is requested where they are turned off', async () => {
  const { id: channelId } = await scene.channel();
  const blocks = [{ type: 'preview', url: `${url}/x`, title: 'Bank' }];
  assertRefused(await scene.admin.post('/messages', { channelId, content: 'x', blocks }), 'INVALID_REQUEST');
  const other = await Scene.open(world);
  const { id } = await other.channel();
  assert.equal(dataOf(await other.admin.get(`/servers/${other.server.id}`)).linkPreviews, false);
  dataOf(await other.admin.post('/messages', { channelId: id, content: `${url}/off` }));
  await withTitles(await send(channelId, `${url}/on`), ['/on']);
  assert.deepEqual(site.requested, ['/on']);
});

test('a preview with a word that the server blocks is left out', async () => {
  const { id: serverId } = scene.server;
  const rule = dataOf(
    await scene.admin.post(`/servers/${serverId}/word-rules`, { pattern: 'casino', action: 'refuse' }),
  );
  const { id: channelId } = await scene.channel();
  pages['/bad'] = (response) => html(response, '<title>Best Casino</title>');
  const sent = await send(channelId, `${url}/bad ${url}/good`);
  await withTitles(sent, ['/good']);
  dataOf(await scene.admin.delete(`/word-rules/${rule.id}`));
});

test('nothing is requested from addresses that are not public, even after a redirect', async () => {
  const strict = await World.open({ limits: { '*': 0 }, timers: true });
  try {
    const there = await Scene.open(strict);
    dataOf(await there.admin.patch(`/servers/${there.server.id}`, { linkPreviews: true }));
    const { id: channelId } = await there.channel();
    const { port } = new URL(url);
    const hosts = Object.values(refused).flat();
    for (let first = 0; first < hosts.length; first += 3) {
      const content = hosts.slice(first, first + 3).map((host) => `http://${host}:${port}/`);
      dataOf(await there.admin.post('/messages', { channelId, content: content.join(' ') }));
    }
    const { db } = strict.data;
    await until(async () => (await db.read.all(previewTimers)).length === 0);
    assert.deepEqual(site.requested, []);
    const messages = dataOf(await there.admin.get(`/channels/${channelId}/messages?limit=100`));
    assert.ok(messages.every(({ blocks }: Json) => blocks === undefined));
  } finally {
    await strict.close();
  }
});
