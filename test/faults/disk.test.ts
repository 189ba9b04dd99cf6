import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { StorageFull } from '../../server/src/db/contract.ts';
import { nameError as nameOfPostgres } from '../../server/src/db/postgres/errors.ts';
import { nameError as nameOfSqlite } from '../../server/src/db/sqlite/errors.ts';
import { isNoSpace, StoreFull } from '../../server/src/files/store.ts';
import { Browser, PASSWORD } from '../support/account.ts';
import { form } from '../support/apps.ts';
import { engine } from '../support/databases.ts';
import { dataOf } from '../support/expect.ts';
import { until } from '../support/process.ts';
import { Scene } from '../support/scene.ts';
import { upload } from '../support/uploads.ts';
import { type Answer, type Json, World } from '../support/world.ts';

// A nearly full disk: all requests that would fill it further are refused with the same response, and all other
// requests work.

const MEGABYTE = 1_000_000;
const AMPLE = 1_000 * MEGABYTE;

let free = AMPLE;
let world: World;
let scene: Scene;
let channel: Json;
let hook: Json;
let person: Json;
let browser: Browser;
before(async () => {
  world = await World.open({
    disk: { minFreeMegabytes: 100, measureDisk: async () => free },
    signUp: 'open',
  });
  scene = await Scene.open(world);
  channel = await scene.channel();
  hook = await scene.webhook({ direction: 'in', url: undefined, channelId: channel.id, name: 'Reports' });
  person = await world.user();
  browser = await Browser.claimed(world, person);
});
after(() => world.close());

/** Sets the free space, and waits until the node has measured it. */
async function make(bytes: number): Promise<void> {
  free = bytes;
  const disks = engine === 'sqlite' ? ['data', 'files'] : ['files'];
  await until(async () => {
    const text = await metrics();
    return disks.every((disk) => text.includes(`\npalaver_disk_free_bytes{disk="${disk}"} ${bytes}\n`));
  });
}

const metrics = async (): Promise<string> => (await fetch(`${world.url}/metrics`)).text();

/** The response to everything that is refused, without the request's id. */
function assertFull({ status, body, headers }: Answer, what: string): void {
  const { requestId, ...error } = body.error;
  assert.deepEqual(
    { status, ...error, retryAfter: headers.get('retry-after') },
    {
      status: 503,
      code: 'INTERNAL_ERROR',
      message:
        "the server's disk is full: nothing can be saved until its operator frees space. Try again later",
      retryAfter: '60',
    },
    what,
  );
  assert.equal(requestId, headers.get('x-request-id'));
}

test('on a nearly full disk, all writes that would fill it get the same 503, and work once there is space', async () => {
  const message = await scene.message({ channelId: channel.id });
  const writes: Record<string, () => Promise<Answer>> = {
    'a message': () => scene.admin.post('/messages', { channelId: channel.id, content: 'Hello' }),
    'an edit': () => scene.admin.patch(`/messages/${message.id}`, { content: world.unique('edited') }),
    'a channel': () => scene.admin.post('/channels', { name: world.unique('channel') }),
    'an incoming webhook': async () => {
      const response = await fetch(world.url + hook.path, { method: 'POST', body: 'Hello' });
      const text = await response.text();
      const body = text.startsWith('{') ? JSON.parse(text) : {};
      return { status: response.status, headers: response.headers, body, data: undefined };
    },
    'a profile': () => browser.patch('/me', { name: world.unique('name') }),
    'a server': () => browser.post('/servers', { name: world.unique('server') }),
    'a sign-up': () =>
      new Browser(world).post('/sign-up', {
        username: world.unique('newcomer'),
        name: 'New',
        password: PASSWORD,
      }),
    'an app that asks for a sign-in': () => form(world, 'device_authorization', { client_id: 'An app' }),
  };
  const uploads: Record<string, () => Promise<Answer>> = {
    'a file': () => upload(world, scene.admin),
    'an icon': () =>
      upload(world, scene.admin, undefined, 'a.png', { path: `/servers/${scene.server.id}/icon` }),
  };
  await make(99 * MEGABYTE);
  for (const [what, send] of Object.entries({ ...(engine === 'sqlite' && writes), ...uploads }))
    assertFull(await send(), what);
  // A node cannot see the disk of a database server.
  if (engine === 'postgres')
    for (const [what, send] of Object.entries(writes)) assert.ok((await send()).status < 300, what);

  // Reading, signing in and deleting still work, so people can free space.
  dataOf(await scene.admin.get(`/channels/${channel.id}/messages`));
  dataOf(await new Browser(world).post('/sign-in', { name: person.username, password: PASSWORD }));
  dataOf(await scene.admin.delete(`/messages/${message.id}`));
  assert.equal((await browser.get('/me')).status, 200);

  await make(AMPLE);
  delete writes['an edit'];
  for (const [what, send] of Object.entries(writes)) assert.ok((await send()).status < 300, what);
  dataOf(await upload(world, scene.admin));
});

test('an upload reserves space for its bytes, so that concurrent uploads do not fill the disk', async () => {
  await make(101 * MEGABYTE);
  dataOf(await upload(world, scene.admin, Buffer.alloc(100_000, 97)));
  assertFull(await upload(world, scene.admin, Buffer.alloc(1_000_000, 97)), 'a large file');
  await make(AMPLE);
  dataOf(await upload(world, scene.admin, Buffer.alloc(1_000_000, 97)));
});

test('/readyz says that the disk is nearly full, and the node stays ready to serve reads', async () => {
  const ready = () => world.request('GET', `${world.url}/readyz`);
  assert.equal((await ready()).body.checks.disk, undefined);
  await make(10 * MEGABYTE);
  const { status, body } = await ready();
  assert.deepEqual([status, body.ok], [200, true]);
  assert.match(body.checks.disk, /^nearly full/);
  await make(AMPLE);
});

test('full-disk errors are recognized on both engines and in the file folder', () => {
  const full = { errcode: 13, message: 'database or disk is full' };
  assert.ok(nameOfSqlite(full) instanceof StorageFull);
  assert.ok(nameOfSqlite({ errcode: 4874, message: 'disk I/O error' }) instanceof StorageFull);
  assert.ok(!(nameOfSqlite({ errcode: 10, message: 'disk I/O error' }) instanceof StorageFull));
  const noSpace = { code: '53100', message: 'could not extend file: No space left on device' };
  assert.ok(nameOfPostgres(noSpace) instanceof StorageFull);
  assert.deepEqual(['ENOSPC', 'EDQUOT', 'EIO', undefined].map(isNoSpace), [true, true, false, false]);
});

test('a full file folder, or a full bucket, gets the same 503', async () => {
  const store = await world.data.files.store;
  const put = store.put.bind(store);
  store.put = async () => {
    throw new StoreFull('full');
  };
  try {
    assertFull(await upload(world, scene.admin), 'the store is full');
  } finally {
    store.put = put;
  }
  dataOf(await upload(world, scene.admin));
});
