import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { UNNOTICED_MS } from '../support/databases.ts';
import { EventStream } from '../support/eventStream.ts';
import { dataOf } from '../support/expect.ts';
import { until } from '../support/process.ts';
import { Scene } from '../support/scene.ts';
import { type Client, type Json, World } from '../support/world.ts';

// When the caller loses access to a channel, a stream sends a `sight` event, because the caller cannot see the
// channel's own event about the change.

let world: World;
let scene: Scene;
const streams: EventStream[] = [];
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
});
after(() => world.close());
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close();
});

async function open(client: Client, query: Record<string, string> = {}): Promise<EventStream> {
  const stream = await EventStream.open(world, client.key, query);
  streams.push(stream);
  return stream;
}

const change = async (channel: Json, fields: object): Promise<Json> =>
  dataOf(await scene.admin.patch(`/channels/${channel.id}`, fields));

const sights = ({ events }: EventStream): Json[] => events.filter(({ type }) => type === 'sight');

/** Waits until a stream has sent all events so far, by sending a public message. */
async function caughtUp(stream: EventStream): Promise<void> {
  const message = await scene.message();
  await stream.event(({ data }) => data.id === message.id);
}

test('when a channel becomes private, only viewers who lose access get `sight`', async () => {
  const channel = await scene.channel();
  const role = await scene.role({ canEditData: true, canModerate: true });
  const member = await world.client(scene.server, ['canEditData']);
  const letIn = await world.clientWithRole(scene.server, role);
  const [lost, kept, admin] = [await open(member), await open(letIn), await open(scene.admin)];
  await change(channel, { private: true, roleIds: [role.id] });
  const told = await lost.event(({ type }) => type === 'sight');
  assert.deepEqual(
    [Object.keys(told).sort(), told.serverId, told.actorId, told.data],
    [
      ['actor', 'actorId', 'at', 'data', 'serverId', 'type'],
      scene.server.id,
      null,
      { channelId: channel.id },
    ],
  );
  for (const stream of [lost, kept, admin]) await caughtUp(stream);
  assert.deepEqual([sights(lost).length, sights(kept).length, sights(admin).length], [1, 0, 0]);
  assert.ok(!lost.types.includes('channel.updated'));
  assert.ok(kept.types.includes('channel.updated'));
});

test('changing a channel that the caller never saw sends nothing', async () => {
  const [first, second] = [await scene.role(), await scene.role()];
  const channel = await scene.channel({ private: true, roleIds: [first.id] });
  const member = await world.client(scene.server, ['canEditData']);
  const stream = await open(member);
  await change(channel, { roleIds: [second.id] });
  await change(channel, { roleIds: [] });
  await caughtUp(stream);
  assert.deepEqual(sights(stream), []);
});

test('removing a role from a private channel sends `sight` to its holders, but not to viewers who keep access', async () => {
  const [gone, stays] = [await scene.role({ canEditData: true }), await scene.role({ canEditData: true })];
  const channel = await scene.channel({ private: true, roleIds: [gone.id, stays.id] });
  const lost = await open(await world.clientWithRole(scene.server, gone));
  const kept = await open(await world.clientWithRole(scene.server, stays));
  await change(channel, { roleIds: [stays.id] });
  assert.equal((await lost.event(({ type }) => type === 'sight')).data.channelId, channel.id);
  await caughtUp(kept);
  assert.deepEqual(sights(kept), []);
});

test('removing canAdmin from a role tells its holders to reload all channels', async () => {
  const role = await scene.role({ canAdmin: true });
  const channel = await scene.channel({ private: true });
  const admin = await world.clientWithRole(scene.server, role);
  const stream = await open(admin);
  const other = await open(await world.client(scene.server, ['canEditData']));
  dataOf(await scene.admin.patch(`/roles/${role.id}`, { canAdmin: false, canEditData: true }));
  assert.equal((await stream.event(({ type }) => type === 'sight')).data.channelId, null);
  await until(async () => (await admin.get(`/channels/${channel.id}`)).status === 403, UNNOTICED_MS + 2_000);
  await caughtUp(other);
  assert.deepEqual(sights(other), []);
});

test('a client that reconnects with its cursor gets the `sight` that it missed', async () => {
  const channel = await scene.channel();
  const member = await world.client(scene.server, ['canEditData']);
  const { nextCursor } = (await member.get('/events?limit=100&types=server.*')).body;
  await change(channel, { private: true });
  const stream = await open(member, { after: nextCursor });
  const { actorId, data } = await stream.event(({ type }) => type === 'sight');
  assert.deepEqual([actorId, data], [null, { channelId: channel.id }]);
});

test('access lost and regained while disconnected still sends `sight`, because the events in between were left out', async () => {
  const channel = await scene.channel();
  const member = await world.client(scene.server, ['canEditData']);
  const { nextCursor } = (await member.get('/events?limit=100&types=server.*')).body;
  await change(channel, { private: true });
  await change(channel, { private: false });
  const [stream, never] = [
    await open(member, { after: nextCursor }),
    await open(scene.admin, { after: nextCursor }),
  ];
  for (const each of [stream, never]) await caughtUp(each);
  const lost = ({ data }: Json) => data.channelId === channel.id;
  assert.deepEqual([sights(stream).filter(lost).length, sights(never).filter(lost).length], [1, 0]);
  assert.deepEqual(
    stream.events
      .filter(({ type, data }) => type === 'channel.updated' && data.id === channel.id)
      .map(({ data }) => data.private),
    [true, false],
    'the channel is visible again, with all of its events',
  );
});

test('filters apply: types without `sight`, and another channel', async () => {
  const channel = await scene.channel();
  const other = await scene.channel();
  const member = await world.client(scene.server, ['canEditData']);
  const [messages, asked, within, elsewhere] = [
    await open(member, { types: 'message.*' }),
    await open(member, { types: 'sight,message.*' }),
    await open(member, { channelId: channel.id }),
    await open(member, { channelId: other.id }),
  ];
  await change(channel, { private: true });
  for (const stream of [asked, within]) await stream.event(({ type }) => type === 'sight');
  await caughtUp(messages);
  const message = await scene.message({ channelId: other.id });
  await elsewhere.event(({ data }) => data.id === message.id);
  assert.deepEqual([sights(messages), sights(elsewhere)], [[], []]);
});

test('pages have no `sight`: they show the events that the caller can see now', async () => {
  const channel = await scene.channel();
  const member = await world.client(scene.server, ['canEditData']);
  await change(channel, { private: true });
  const { data } = (await member.get('/events?limit=100')).body;
  assert.ok(!data.some(({ type }: Json) => type === 'sight'));
});
