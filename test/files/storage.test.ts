import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser } from '../support/account.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { png } from '../support/pictures.ts';
import { find } from '../support/sources.ts';
import { plainBytes, upload } from '../support/uploads.ts';
import { type Client, type Json, World } from '../support/world.ts';

// Tests the storage limits per person, per server and in total. They prevent one person from filling the disk.

const MEGABYTE = 1_000_000;
const flags = ['canAdmin'] as const;
let world: World;
before(async () => {
  world = await World.open({ runtime: { personMegabytes: 1, serversPerPerson: 3 } });
});
after(() => world.close());

const person = () => world.user();
const used = async ({ id }: Json, at = world): Promise<number> =>
  (await at.data.db.read.first(find('personUse', { userId: id })))?.bytes ?? 0;
const put = (client: Client, bytes: number, at = world) => upload(at, client, plainBytes(bytes));

function assertFull(answer: Awaited<ReturnType<typeof put>>, quota = 'personMegabytes'): void {
  assertRefused(answer, 'INVALID_REQUEST', quota);
  assert.equal(answer.body.error.details[0].reason, 'quota');
  assert.match(answer.body.error.message, new RegExp(quota));
}

test("a person's files count across all servers, together with those of their own servers' agents", async () => {
  const [owner, other] = [await person(), await person()];
  const [first, second, foreign] = [
    await world.server(owner),
    await world.server(owner),
    await world.server(other),
  ];
  const own = await world.client(first, flags, owner);
  const agent = await world.client(second, flags, await world.user({ agent: true }));
  const abroad = await world.client(foreign, ['canEditData'], owner);
  dataOf(await put(own, 300_000));
  dataOf(await put(agent, 300_000));
  const { id } = dataOf(await put(abroad, 300_000));
  assert.equal(await used(owner), 900_000);
  for (const client of [own, agent, abroad]) assertFull(await put(client, 100_001));
  dataOf(await put(own, 100_000));
  assertFull(await put(agent, 1));

  // Others in the same servers have their own storage.
  dataOf(await put(await world.client(first, flags, other), 500_000));
  assert.equal(await used(other), 500_000);

  dataOf(await abroad.delete(`/attachments/${id}`));
  assert.equal(await used(owner), 700_000);
  dataOf(await put(agent, 300_000));
});

test('images for people and servers count, and replaced ones free their space', async () => {
  const owner = await person();
  const server = await world.server(owner);
  const client = await world.client(server, flags, owner);
  const image = Buffer.concat([png(9, 9), Buffer.alloc(0)]);
  const padded = (shade: number) => {
    // An image with a chunk of 350 KB that the server keeps.
    const data = Buffer.alloc(350_000, shade);
    const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from('IDAT'), data, Buffer.alloc(4)]);
    chunk.writeUInt32BE(data.length, 0);
    return Buffer.concat([image.subarray(0, 33), chunk, image.subarray(33)]);
  };
  const paths = ['/users/me/image', `/servers/${server.id}/icon`];
  for (const path of paths) dataOf(await upload(world, client, padded(1), 'a.png', { path }));
  const both = await used(owner);
  assert.ok(both > 700_000 && both < MEGABYTE, `${both}`);
  // The earlier image still counts while the new one arrives.
  assertFull(await upload(world, client, padded(2), 'a.png', { path: paths[0] }));
  dataOf(await client.delete('/users/me/image'));
  for (let round = 0; round < 3; round++) {
    dataOf(await upload(world, client, padded(round), 'a.png', { path: paths[0] }));
    dataOf(await client.delete('/users/me/image'));
  }
  assert.ok((await used(owner)) < 400_000);
});

test("concurrent uploads do not exceed a person's storage quota", async () => {
  const owner = await person();
  const client = await world.client(await world.server(owner), flags, owner);
  const answers = await Promise.all(Array.from({ length: 4 }, () => put(client, 400_000)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 400, 400]);
  assert.equal(await used(owner), 800_000);
});

test('there is a limit for all files, and a platform admin can change it without a restart', async (t) => {
  const small = await World.open({ runtime: { storageMegabytes: 1 } });
  t.after(() => small.close());
  const clients = [];
  for (let count = 0; count < 2; count++)
    clients.push(await small.client(await small.server(await small.user()), flags));
  const [one, other] = clients as [Client, Client];
  dataOf(await put(one, 600_000, small));
  assertFull(await put(other, 500_000, small), 'storageMegabytes');
  dataOf(await put(other, 400_000, small));
  assertFull(await put(one, 1, small), 'storageMegabytes');
  const admin = await Browser.claimed(small, await small.user({ platformAdmin: true }));
  dataOf(await admin.patch('/platform/settings/storageMegabytes', { value: '2' }));
  dataOf(await put(one, 500_000, small));
  dataOf(await admin.patch('/platform/settings/storageMegabytes', { value: '0' }));
  dataOf(await put(one, 1_500_000, small));
});

test('a person can own at most as many servers as the setting allows, including by transfer', async () => {
  const owner = await person();
  const browser = await Browser.of(world, owner);
  for (let count = 0; count < 3; count++) dataOf(await browser.post('/servers', { name: `Server ${count}` }));
  const refused = await browser.post('/servers', { name: 'One more' });
  assertRefused(refused, 'INVALID_REQUEST');
  assert.match(refused.body.error.message, /limit of 3 servers/);
  const admin = await Browser.claimed(world, await world.user({ platformAdmin: true }));
  dataOf(await admin.patch('/platform/settings/serversPerPerson', { value: '4' }));
  dataOf(await browser.post('/servers', { name: 'One more' }));
  dataOf(await admin.patch('/platform/settings/serversPerPerson', { value: null }));
});

test('with serverCreators "admins", only platform admins create servers', async (t) => {
  const closed = await World.open({ runtime: { serverCreators: 'admins' } });
  t.after(() => closed.close());
  const somebody = await Browser.claimed(closed, await closed.user());
  const refused = await somebody.post('/servers', { name: 'Mine' });
  assertRefused(refused, 'FORBIDDEN');
  assert.match(refused.body.error.message, /only admins of this platform can create servers/);
  assert.match(refused.body.error.details.rule, /platform admin/);
  assert.equal(dataOf(await somebody.get('/entrance')).serverCreators, 'admins');
  const admin = await Browser.claimed(closed, await closed.user({ platformAdmin: true }));
  const server = dataOf(await admin.post('/servers', { name: 'For all' }));
  assert.equal(server.creatorId, dataOf(await admin.get('/me')).id);
  dataOf(await admin.patch('/platform/settings/serverCreators', { value: 'anybody' }));
  dataOf(await somebody.post('/servers', { name: 'Mine' }));
});
