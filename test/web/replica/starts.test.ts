import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { realAround } from '../../../web/replica/around.ts';
import { type Kept, keptInMemory } from '../../../web/replica/kept.ts';
import { until } from '../../support/process.ts';
import { channelOf, type Network, tabOf } from '../../support/replicas.ts';
import { World } from '../../support/world.ts';

// The stream and the window in the URL are requested immediately, while the browser still opens its database.
// The responses wait for the stored drafts, unless there can be none.

let world: World;
before(async () => {
  world = await World.open();
});
after(() => world.close());

/** A channel with a message, a member who can see it, and a browser database that responds on demand. */
async function setUp() {
  const { scene, channel, message, network } = await channelOf(world);
  const memory = keptInMemory();
  const opened = Promise.withResolvers<void>();
  const kept: Kept = { ...memory, all: (store) => opened.promise.then(() => memory.all(store)) };
  let streams = 0;
  const fetch: Network['fetch'] = (path, init) => {
    streams++;
    return network.fetch(path, init);
  };
  const place = { serverId: scene.server.id, channelId: channel.id };
  return {
    place,
    channel,
    message,
    network,
    memory,
    kept,
    open: opened.resolve,
    fetch,
    asked: () => streams,
  };
}

test("the stream and a window are requested in parallel with the database, and a stored draft wins over the server's", async () => {
  const { place, channel, message, network, memory, kept, open, fetch, asked } = await setUp();
  await network
    .api(place.serverId)
    .draftSave({ channelId: channel.id, content: 'at the server', version: 0 });
  await memory.put('draft', channel.id, { ...place, id: channel.id, content: 'kept here', isSaved: false });
  const session = tabOf(network, { kept, fetch });
  try {
    void session.actions.openChannel(channel.id, { serverId: place.serverId });
    await until(() => asked() === 1 && network.calls.includes('channelView') && network.underWay === 0);
    assert.equal(session.connection().isBooted, false, 'no event from the stream has been applied yet');
    assert.equal(session.replica.row('message', message.id), undefined);
    open();
    await until(() => session.lines.get(channel.id) !== undefined);
    assert.equal(session.drafts.get(channel.id).content, 'kept here');
    assert.equal(session.replica.row('message', message.id)?.content, message.content);
    const windows = network.calls.filter((name) => name === 'channelView');
    assert.equal(windows.length, 1, 'the window that was requested first is shown');
  } finally {
    session.stop();
  }
});

test('a browser that cannot have stored anything does not wait', async () => {
  const { place, channel, message, network, kept, open, fetch } = await setUp();
  const session = tabOf(network, { kept, fetch, hasKept: false });
  try {
    void session.actions.openChannel(channel.id, { serverId: place.serverId });
    await until(() => session.lines.get(channel.id) !== undefined);
    assert.equal(session.replica.row('message', message.id)?.content, message.content);
  } finally {
    open();
    session.stop();
  }
});

test('an ended session requests nothing more, although its reads and marks have failed', async () => {
  const { place, channel, message, network } = await setUp();
  const around = { ...realAround, after: (ms: number, run: () => void) => realAround.after(ms / 100, run) };
  const session = tabOf(network, { around, hasKept: false });
  const times = (name: string) => network.calls.filter((each) => each === name).length;
  await session.actions.openChannel(channel.id, { serverId: place.serverId });
  network.fault = () => {
    throw new Error('out of reach');
  };
  session.actions.markRead(channel.id, message.id);
  session.actions.openChannel('another', { serverId: place.serverId }).catch(() => undefined);
  await until(() => times('personRead') > 2 && times('channelView') > 3);
  session.stop();
  await until(() => network.underWay === 0);
  const { length } = network.calls;
  await sleep(200);
  assert.equal(network.calls.length, length);
});
