import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventStream } from '../support/eventStream.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { until } from '../support/process.ts';
import { Scene } from '../support/scene.ts';
import { type Json, TestClock, World } from '../support/world.ts';

let world: World;
let scene: Scene;
const clock = new TestClock();
before(async () => {
  world = await World.open({ clock });
  scene = await Scene.open(world);
});
after(() => world.close());

const streams: EventStream[] = [];
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close();
});

async function open(query: Record<string, string> = {}): Promise<EventStream> {
  const stream = await EventStream.open(world, scene.admin.key, query);
  streams.push(stream);
  return stream;
}

const indicators = (stream: EventStream): [string, string][] =>
  stream.events.filter(({ type }) => type.startsWith('indicator.')).map(({ type, data }) => [type, data.id]);

test('streams send indicators that start and stop, without an id; the log does not store them', async () => {
  const channel = await scene.channel();
  const stream = await open();
  const made = await scene.indicator({ channelId: channel.id });
  dataOf(await scene.admin.patch(`/indicators/${made.id}`, {}));
  dataOf(await scene.admin.delete(`/indicators/${made.id}`));
  await until(() => indicators(stream).length === 3);
  assert.deepEqual(indicators(stream), [
    ['indicator.created', made.id],
    ['indicator.updated', made.id],
    ['indicator.deleted', made.id],
  ]);
  assert.ok(stream.blocks.filter(({ data }) => data?.type.startsWith('indicator.')).every(({ id }) => !id));
  const [first] = stream.events.filter(({ type }) => type.startsWith('indicator.'));
  assert.deepEqual(Object.keys(first), ['type', 'serverId', 'actorId', 'actor', 'at', 'data']);
  assert.deepEqual(first.data, made);
  assert.equal(first.actorId, scene.owner.id);
  const logged = (await scene.admin.get('/events?limit=100')).data;
  assert.ok(logged.every(({ type }: Json) => !type.startsWith('indicator.')));
});

test('other live events in a server neither end an indicator nor count as one', async () => {
  const channel = await scene.channel();
  const stream = await open();
  await scene.indicator({ channelId: channel.id });
  const { id: serverId } = scene.server;
  for (let count = 0; count < 200; count++) {
    // Presence is a live event that everybody in the server sees.
    const data = { userId: scene.owner.id, status: 'online', text: null, until: null };
    const actor = { actorId: scene.owner.id, actor: 'person' as const };
    world.node.feed.tell({ type: 'presence.updated', serverId, channelId: null, ...actor, at: count, data });
  }
  await until(() => stream.types.filter((type) => type === 'presence.updated').length === 200);
  assert.deepEqual(
    indicators(stream).map(([type]) => type),
    ['indicator.created'],
  );
  clock.advance(11_000);
  await until(() => indicators(stream).length === 2);
});

test('the filters types and channelId apply to indicators too', async () => {
  const [here, there] = [await scene.channel(), await scene.channel()];
  const [all, some, none] = [
    await open(),
    await open({ channelId: here.id, types: 'indicator.*' }),
    await open({ types: 'message.created' }),
  ];
  const made = await scene.indicator({ channelId: here.id });
  await scene.indicator({ channelId: there.id });
  await until(() => indicators(all).length === 2);
  await sleep(20);
  assert.deepEqual(indicators(some), [['indicator.created', made.id]]);
  assert.deepEqual(indicators(none), []);
});

test('an indicator expires after 10 seconds unless it is renewed', async () => {
  const channel = await scene.channel();
  const stream = await open();
  const [kept, left] = [
    await scene.indicator({ channelId: channel.id, type: 'online' }),
    await scene.indicator({ channelId: channel.id }),
  ];
  clock.advance(9_000);
  dataOf(await scene.admin.patch(`/indicators/${kept.id}`, {}));
  clock.advance(1_500);
  await until(() => indicators(stream).some(([type, id]) => type === 'indicator.deleted' && id === left.id));
  assertRefused(await scene.admin.patch(`/indicators/${left.id}`, {}), 'NOT_FOUND');
  assertRefused(await scene.admin.delete(`/indicators/${left.id}`), 'NOT_FOUND');
  dataOf(await scene.admin.patch(`/indicators/${kept.id}`, {}));
  await until(() => indicators(stream).at(-1)?.[0] === 'indicator.updated');
  assert.equal(indicators(stream).filter(([, id]) => id === kept.id).length, 3);
});

test('a new indicator replaces the previous one', async () => {
  const channel = await scene.channel();
  const stream = await open();
  const first = await scene.indicator({ channelId: channel.id });
  const second = await scene.indicator({ channelId: channel.id });
  await until(() => indicators(stream).length === 3);
  assert.deepEqual(indicators(stream), [
    ['indicator.created', first.id],
    ['indicator.deleted', first.id],
    ['indicator.created', second.id],
  ]);
});
