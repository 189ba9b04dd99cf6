import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { UNNOTICED_MS } from '../support/databases.ts';
import { EventStream } from '../support/eventStream.ts';
import { LoadCount } from '../support/loads.ts';
import { until } from '../support/process.ts';
import { change, type Data, insert, openData, revokeKey, update } from '../support/sources.ts';
import { type Client, type Json, TestClock, World } from '../support/world.ts';

// Tests how often a node loads keys. A key is cached until its server's or its user's permissions change.

/** The interval at which open streams check their key, and a margin for a busy machine. */
const LOOKED_MS = 250 + 500;
const STREAMS = 12;

let world: World;
let clock: TestClock;
let count: LoadCount;
/** The same data, opened a second time as another process would. */
let beside: Data;

/** A server with its creator's client, and a role with some keys. */
interface Place {
  server: Json;
  admin: Client;
  role: Json;
  clients: Client[];
}

async function newPlace(keys: number): Promise<Place> {
  const owner = await world.user();
  const server = await world.server(owner);
  const admin = await world.client(server, ['canAdmin'], owner);
  const role = (await admin.post('/roles', { name: world.unique('role'), canModerate: true })).data;
  const clients: Client[] = [];
  while (clients.length < keys) clients.push(await world.clientWithRole(server, role));
  count.watch(...clients.map(({ key }) => key));
  return { server, admin, role, clients };
}

/** Opens a stream for each client, and waits until their keys are no longer loaded. */
async function follow(clients: readonly Client[]): Promise<EventStream[]> {
  const streams = await Promise.all(clients.map(({ key }) => EventStream.open(world, key)));
  for (const { status } of streams) assert.equal(status, 200);
  await sleep(LOOKED_MS);
  count.reset();
  return streams;
}

const moderate = async ({ admin, role }: Place, canModerate: boolean): Promise<void> => {
  assert.equal((await admin.patch(`/roles/${role.id}`, { canModerate })).status, 200);
};

before(async () => {
  clock = new TestClock();
  world = await World.open({ clock });
  count = new LoadCount(world.data);
  beside = await openData(world.place);
});
after(async () => {
  await beside.db.close();
  await world.close();
});
beforeEach(() => count.reset());

test("a change in a server reloads the keys of its streams once, in few statements, and no other servers' keys", async () => {
  const [here, there] = [await newPlace(STREAMS), await newPlace(STREAMS)];
  const streams = await follow([...here.clients, ...there.clients]);
  await moderate(here, false);
  const areLoaded = () => here.clients.every(({ key }) => count.of(key) > 0);
  await until(areLoaded);
  await sleep(LOOKED_MS);
  for (const { key } of here.clients) assert.equal(count.of(key), 1);
  for (const { key } of there.clients) assert.equal(count.of(key), 0);
  assert.ok(count.statements.length <= 3, `${count.statements}`);
  // The other server's streams still get its events.
  await there.admin.post('/channels', { name: 'there' });
  for (const stream of streams.slice(STREAMS)) await stream.event(({ data }) => data.name === 'there');
  for (const stream of streams) stream.close();
  assert.equal(count.total, STREAMS);
});

test('concurrent requests and streams with the same key share one load', async () => {
  const place = await newPlace(1);
  const [client] = place.clients as [Client];
  count.hold();
  const asking = Array.from({ length: 20 }, () => client.get('/servers'));
  await until(() => count.of(client.key) > 0);
  count.release();
  for (const { status } of await Promise.all(asking)) assert.equal(status, 200);
  assert.equal(count.of(client.key), 1);
  const streams = await follow(Array.from({ length: 20 }, () => client));
  await moderate(place, false);
  await until(() => count.of(client.key) > 0);
  await sleep(LOOKED_MS);
  assert.equal(count.of(client.key), 1);
  for (const stream of streams) stream.close();
});

test("a new member, a new key or a new name does not reload the server's other keys", async () => {
  const place = await newPlace(2);
  const [one, other] = place.clients as [Client, Client];
  for (const client of [one, other]) assert.equal((await client.get('/servers')).status, 200);
  count.reset();
  const { admin, server, role } = place;
  const user = await world.user();
  await world.member(server, user);
  for (const answer of [
    await admin.post('/secrets', { kind: 'apiKey', name: 'agent', roleId: role.id }),
    await admin.patch(`/servers/${server.id}`, { name: 'Renamed' }),
    await admin.patch(`/roles/${role.id}`, { name: 'Renamed' }),
    await admin.post('/user-roles', { userId: user.id, roleId: role.id }),
  ])
    assert.equal(answer.status, 200);
  await sleep(UNNOTICED_MS);
  for (const client of [one, other]) assert.equal((await client.get('/servers')).status, 200);
  assert.equal(count.total, 0);
});

test('changes by another process reload only the keys that they affect', async () => {
  const [here, there] = [await newPlace(1), await newPlace(1)];
  const [one, other] = [here.clients[0], there.clients[0]] as [Client, Client];
  const use = async () => {
    await sleep(UNNOTICED_MS);
    count.reset();
    for (const client of [one, other]) assert.equal((await client.get('/servers')).status, 200);
    return [count.of(one.key), count.of(other.key)];
  };
  await use();
  const setting = { name: world.unique(), value: 'no permission' };
  await beside.db.write((tx) => tx.run(insert('setting', setting)));
  assert.deepEqual(await use(), [0, 0]);
  await beside.db.write((tx) => tx.run(update('role', here.role.id, { canEditData: true })));
  assert.deepEqual(await use(), [1, 0]);
  // The other key's user has no further keys.
  await beside.db.write((tx) => tx.run(update('user', other.secret.userId, { platformAdmin: true })));
  assert.deepEqual(await use(), [0, 1]);
  assert.deepEqual(await use(), [0, 0]);
});

test('a request sent after a revocation is not authorized by a load that started before it', async () => {
  const place = await newPlace(1);
  const [client] = place.clients as [Client];
  count.hold();
  const early = client.get('/servers');
  await until(() => count.of(client.key) === 1);
  await change(world.data, (work) => revokeKey(work, client.secret.id));
  const late = client.get('/servers');
  // Without a delay, the second request might arrive after the response to the first.
  await sleep(LOOKED_MS);
  count.release();
  assert.equal((await late).status, 401);
  await early;
  assert.equal((await client.get('/servers')).status, 401);
});

test('a write after a revocation in the same transaction is rejected', async () => {
  const place = await newPlace(1);
  const [client] = place.clients as [Client];
  const { data: channel } = await place.admin.post('/channels', { name: 'general' });
  assert.equal((await client.get('/servers')).status, 200);
  const serverId = place.server.id;
  // Keeps the server's queue busy, so the other two writes share the next transaction.
  const busy = world.data.db.write(
    (tx) => tx.run(insert('setting', { name: world.unique(), value: '' })),
    serverId,
  );
  const revoked = change(world.data, (work) => revokeKey(work, client.secret.id), serverId);
  const sent = client.post('/messages', { channelId: channel.id, content: 'hello' });
  await Promise.all([busy, revoked]);
  assert.equal((await sent).status, 401);
});

test('a stream ends when its key expires, without loading the key', async () => {
  const place = await newPlace(0);
  const minted = await place.admin.post('/secrets', {
    kind: 'apiKey',
    name: 'short',
    roleId: place.role.id,
    expiresAt: clock.at + 60_000,
  });
  const { key } = minted.data;
  count.watch(key);
  const [stream] = (await follow([world.as(key)])) as [EventStream];
  clock.advance(59_999);
  await sleep(LOOKED_MS);
  assert.equal(stream.isOver, false);
  clock.advance(1);
  await stream.over();
  assert.equal(count.total, 0);
});
