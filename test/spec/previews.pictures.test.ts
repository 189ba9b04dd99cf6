import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, afterEach, before, test } from 'node:test';
import { messagesAfter } from '../../server/src/imports/export/rows.ts';
import { FIRST_ID } from '../../server/src/lib/deps.ts';
import { Pages } from '../../server/src/resources/message/previews/pages.ts';
import { refused } from '../support/addresses.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { photo, SECRET } from '../support/pictures.ts';
import { html, Site } from '../support/previewSite.ts';
import { until } from '../support/process.ts';
import { Scene } from '../support/scene.ts';
import { find, q } from '../support/sources.ts';
import { content as contentOf, storedIn } from '../support/uploads.ts';
import { type Json, World, type WorldOptions } from '../support/world.ts';

// Pictures in link previews.

const previewTimers = q.selectFrom('timer').select('id').where('kind', '=', 'preview');
const options: WorldOptions = { limits: { '*': 0 }, timers: true, privateWebhooks: true };
const pages: Record<string, (response: ServerResponse) => unknown> = {
  '/tide': (response) => html(response, '<title>Tide</title>'),
  '/missing': (response) => html(response, '<title>Not found</title>', 404),
  '/slow': () => {},
};
/** A page with this picture. */
const head = (picture: string) => (response: ServerResponse) =>
  html(response, `<title>Picture</title><meta property="og:image" content="${picture}">`);

let world: World;
let scene: Scene;
let site: Site;
let url: string;
before(async () => {
  world = await World.open(options);
  scene = await previewing(world);
  site = await Site.open(pages);
  url = site.url;
});
afterEach(() => site.forget());
after(async () => {
  site.close();
  await world.close();
});

/** A server with link previews. */
async function previewing(world: World): Promise<Scene> {
  const scene = await Scene.open(world);
  dataOf(await scene.admin.patch(`/servers/${scene.server.id}`, { linkPreviews: true }));
  return scene;
}

/** Sends a message, and waits until it has previews. */
async function sendPreviewed({ admin }: Scene, channelId: string, content: string): Promise<Json> {
  const { id } = dataOf(await admin.post('/messages', { channelId, content }));
  let found: Json = {};
  await until(async () => {
    found = dataOf(await admin.get(`/messages/${id}`));
    return found.blocks !== undefined;
  });
  return found;
}

/** Bytes used by the server's owner, and by the server. */
async function used({ admin, server }: Scene): Promise<(number | undefined)[]> {
  const { read } = world.data.db;
  return [
    (await read.first(find('personUse', { userId: admin.secret.userId })))?.bytes ?? 0,
    (await read.first(find('fileUse', { serverId: server.id })))?.bytes ?? 0,
  ];
}

test('a preview has a picture, which is stored here without metadata, and visible like its message', async () => {
  const there = await previewing(world);
  const { id: channelId } = await there.channel({ private: true });
  const bytes = await photo(600, 400).jpeg().toBuffer();
  pages['/pictures/new'] = (response) => response.writeHead(302, { location: '/photo' }).end();
  pages['/photo'] = (response) => response.writeHead(200, { 'content-type': 'text/plain' }).end(bytes);
  pages['/pictured'] = head('pictures/new');
  const member = await world.client(there.server, ['canEditData']);
  const found = await sendPreviewed(there, channelId, `${url}/pictured`);
  const [{ image, ...preview }] = found.blocks;
  assert.deepEqual(preview, { type: 'preview', id: 'p1', url: `${url}/pictured`, title: 'Picture' });
  const { id, bytes: size, thumbhash, ...shown } = image;
  assert.deepEqual(shown, {
    name: 'preview.jpeg',
    type: 'image/jpeg',
    width: 400,
    height: 600,
    previews: ['small'],
  });
  assert.ok(thumbhash && size < bytes.length);
  assert.equal(found.attachments, undefined);
  assert.deepEqual(dataOf(await there.admin.get(`/channels/${channelId}/messages?hasFile=true`)), []);
  const exported = { channelId, after: FIRST_ID, until: found.id };
  assert.deepEqual((await messagesAfter(world.data.db.read, exported)).files, new Map());
  const served = await contentOf(world, there.admin, id);
  assert.ok(!served.bytes.includes(SECRET) && bytes.includes(SECRET));
  assert.equal((await contentOf(world, member, id)).status, 403);
  assert.deepEqual(await used(there), [size, size]);

  // The author cannot delete the picture as a file, only by removing the preview.
  assertRefused(await there.admin.delete(`/attachments/${id}`), 'INVALID_REQUEST');
  dataOf(await there.admin.patch(`/messages/${found.id}`, { blocks: [] }));
  assert.equal((await contentOf(world, there.admin, id)).status, 404);
  assert.deepEqual(await used(there), [0, 0]);
  const { data: events } = (await there.admin.get('/events?wait=0&limit=100')).body;
  const types = events.filter(({ type }: Json) => type.startsWith('attachment.'));
  assert.deepEqual(
    types.map(({ type, data }: Json) => [type, data.channelId, data.messageId, data.id]),
    ['created', 'deleted'].map((type) => [`attachment.${type}`, channelId, found.id, id]),
  );
});

test('the picture is deleted with the message, and with the link that an edit removes', async () => {
  const { id: channelId } = await scene.channel();
  const bytes = await photo().png().toBuffer();
  pages['/small.png'] = (response) => response.writeHead(200).end(bytes);
  pages['/small'] = head(`${url}/small.png`);
  const ids: string[] = [];
  for (let round = 0; round < 2; round++) {
    const sent = await sendPreviewed(scene, channelId, `${url}/small`);
    ids.push(sent.blocks[0].image.id);
    if (round === 0) dataOf(await scene.admin.patch(`/messages/${sent.id}`, { content: 'Nothing' }));
    else dataOf(await scene.admin.delete(`/messages/${sent.id}`));
  }
  assert.equal(new Set(ids).size, 2);
  for (const id of ids) assert.equal((await contentOf(world, scene.admin, id)).status, 404);
  await world.tidy();
  const stored = storedIn(world.folder);
  assert.deepEqual(
    stored.filter((name) => ids.some((id) => name.startsWith(id))),
    [],
  );
});

test('a preview has no picture if the file is not an image, too large or too slow, or if it exceeds the quota', async () => {
  const { id: channelId } = await scene.channel();
  const large = await photo(1_000, 1_000).png().toBuffer();
  assert.ok(large.length > 512 * 1024);
  pages['/large.png'] = (response) => response.writeHead(200).end(large);
  const faulty = [
    '/tide',
    '/missing',
    '/large.png',
    'data:image/png;base64,AAAA',
    'file:///etc/passwd',
    'http://[',
  ];
  for (const [index, picture] of faulty.entries()) {
    pages[`/faulty/${index}`] = head(picture);
    const { blocks } = await sendPreviewed(scene, channelId, `${url}/faulty/${index}`);
    assert.equal(blocks[0].image, undefined, picture);
  }
  pages['/waits'] = head('/slow');
  const { blocks } = await sendPreviewed(scene, channelId, `${url}/waits`);
  assert.equal(blocks[0].image, undefined);

  const full = await World.open({ ...options, quotas: { fileMegabytes: 1 } });
  try {
    const there = await previewing(full);
    const photos = await Promise.all(['a', 'b', 'c'].map(() => photo(430, 340).png().toBuffer()));
    for (const [index, bytes] of photos.entries()) {
      pages[`/photo/${index}.png`] = (response) => response.writeHead(200).end(bytes);
      pages[`/full/${index}`] = head(`/photo/${index}.png`);
    }
    const { id } = await there.channel();
    const images: boolean[] = [];
    for (let index = 0; index < 3; index++) {
      const sent = await sendPreviewed(there, id, `${url}/full/${index}`);
      images.push(sent.blocks[0].image !== undefined);
    }
    assert.deepEqual(images, [true, true, false]);
  } finally {
    await full.close();
  }
});

test('no picture is requested from addresses that are not public', async () => {
  const { db, deps } = world.data;
  const strict = Pages.of({ db: { ...db }, deps, allowedHosts: { allowPrivate: false, hosts: [] } });
  const { port } = new URL(url);
  for (const host of Object.values(refused).flat())
    await assert.rejects(
      strict.picture(scene.server.id, `http://${host}:${port}/photo`, AbortSignal.timeout(5_000)),
      host,
    );
  assert.deepEqual(site.requested, []);
});

test('page and picture hosts are checked at every redirect', async () => {
  const guarded = await World.open({ ...options, webhookHosts: ['127.0.0.1'] });
  try {
    const there = await previewing(guarded);
    const bytes = await photo().png().toBuffer();
    const elsewhere = url.replace('127.0.0.1', 'localhost');
    const to = (location: string) => (response: ServerResponse) =>
      response.writeHead(302, { location }).end();
    pages['/guarded.png'] = (response) => response.writeHead(200).end(bytes);
    pages['/away.png'] = to(`${elsewhere}/guarded.png`);
    pages['/away'] = to(`${elsewhere}/tide`);
    const named = ['/guarded.png', '/away.png', `${elsewhere}/guarded.png`];
    for (const [index, picture] of named.entries()) pages[`/named/${index}`] = head(picture);
    const { id: channelId } = await there.channel();
    const links = [...named.keys()].map((index) => `${url}/named/${index}`);
    const { blocks } = await sendPreviewed(there, channelId, links.join(' '));
    assert.deepEqual(
      blocks.map(({ image }: Json) => image !== undefined),
      [true, false, false],
    );
    assert.equal(site.requested.filter((path) => path === '/guarded.png').length, 1);
    const none = dataOf(await there.admin.post('/messages', { channelId, content: `${url}/away` }));
    await until(async () => (await guarded.data.db.read.all(previewTimers)).length === 0);
    assert.equal(dataOf(await there.admin.get(`/messages/${none.id}`)).blocks, undefined);
    assert.ok(!site.requested.includes('/tide'));
  } finally {
    await guarded.close();
  }
});
