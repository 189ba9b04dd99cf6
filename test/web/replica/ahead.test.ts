import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Ahead, meAhead, takeAhead } from '../../../web/replica/ahead.ts';
import { realAround } from '../../../web/replica/around.ts';
import { type Kept, keptInMemory } from '../../../web/replica/kept.ts';
import type { Locks, Port } from '../../../web/replica/tabs.ts';
import { until } from '../../support/process.ts';
import { channelOf, Network, tabOf } from '../../support/replicas.ts';
import { World } from '../../support/world.ts';

// A page requests the server and channel in its URL before its scripts have loaded. The session starts with
// these responses before it has a stream, and the stream resumes from there, so no event in between is
// missed.

let world: World;
before(async () => {
  world = await World.open();
});
after(() => world.close());

/** Creates a channel with a message, a member of it, and the requests that the member's page makes. */
async function setUp() {
  const { scene, member, channel, message, browser, network } = await channelOf(world);
  const serverId = scene.server.id;
  /** The page makes these requests itself: they are not counted. */
  const page = new Network(browser);
  const snapshot = () => Promise.resolve(page.api('none').serverSnapshot({ id: serverId }));
  const view = () =>
    Promise.resolve(page.api(serverId).channelView({ id: channel.id, isThreadReply: false, limit: 50 }));
  const asked = (): Ahead => ({
    server: { id: serverId, snapshot: snapshot() },
    channel: { id: channel.id, around: undefined, view: view() },
  });
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  /** Requests the stream, but only once `release` has been called. */
  const fetch: Network['fetch'] = async (path, init) => {
    await held;
    return network.fetch(path, init);
  };
  const answered = async (ahead: Ahead) => {
    await Promise.all([ahead.server?.snapshot, ahead.channel?.view]);
    return ahead;
  };
  return {
    scene,
    channel,
    member,
    message,
    browser,
    network,
    asked,
    answered,
    snapshot,
    view,
    fetch,
    release,
  };
}

type Shown = ReturnType<typeof tabOf>;
const contents = ({ lines, replica }: Shown, channelId: string) =>
  lines.get(channelId)?.ids.map((id) => replica.row('message', id)?.content);

test('the first render needs no stream, which then delivers everything that has happened since', async () => {
  const { scene, channel, message, browser, network, asked, answered, fetch, release } = await setUp();
  const ahead = await answered(asked());
  const gone = await scene.message({ channelId: channel.id, content: 'gone' });
  const session = tabOf(network, { fetch, ahead, hasKept: false });
  try {
    await session.isNear;
    assert.deepEqual(contents(session, channel.id), [message.content]);
    assert.ok(session.replica.states.has(scene.server.id));
    assert.equal(session.connection().isBooted, false);
    await session.actions.openChannel(channel.id);
    await scene.remove(`/messages/${gone.id}`);
    const last = await scene.message({ channelId: channel.id, content: 'last' });
    // The log has no events for the user's own read marks.
    await new Network(browser)
      .api(scene.server.id)
      .personRead({ marks: [{ channelId: channel.id, messageId: last.id }] });
    assert.equal(network.calls.length, 0, 'nothing was read');
    release();
    await until(() => contents(session, channel.id)?.at(-1) === 'last');
    assert.deepEqual(contents(session, channel.id), [message.content, 'last']);
    await until(() => session.reading.channel(channel.id)?.messageId === last.id);
    assert.ok(!network.calls.includes('serverSnapshot') && !network.calls.includes('channelView'));
  } finally {
    session.stop();
  }
});

test('a window older than the snapshot is read again', async () => {
  const { scene, channel, message, network, snapshot, view, fetch, release } = await setUp();
  const older = await view();
  await scene.message({ channelId: channel.id, content: 'between' });
  const server = { id: scene.server.id, snapshot: snapshot() };
  const ahead = { server, channel: { id: channel.id, around: undefined, view: Promise.resolve(older) } };
  const session = tabOf(network, { fetch, ahead });
  try {
    await session.actions.openChannel(channel.id);
    release();
    await until(() => contents(session, channel.id)?.length === 2);
    assert.deepEqual(contents(session, channel.id), [message.content, 'between']);
    assert.deepEqual(
      network.calls.filter((name) => name === 'channelView' || name === 'serverSnapshot'),
      ['channelView'],
    );
  } finally {
    session.stop();
  }
});

test('without early responses, the session sends its requests as usual', async () => {
  const { scene, channel, message, network } = await setUp();
  const none = Promise.resolve(undefined);
  const ahead = {
    server: { id: scene.server.id, snapshot: none },
    channel: { id: channel.id, around: undefined, view: none },
  };
  // The first render is not released by its time limit of 200 ms, only by the stream.
  const after: typeof realAround.after = (ms, run) => (ms === 200 ? () => {} : realAround.after(ms, run));
  const session = tabOf(network, { ahead, around: { ...realAround, after } });
  let isNear = false;
  void session.isNear?.then(() => {
    isNear = true;
  });
  try {
    await session.actions.openChannel(channel.id, { serverId: scene.server.id });
    assert.deepEqual(contents(session, channel.id), [message.content]);
    assert.ok(network.calls.includes('serverSnapshot'));
    await until(() => isNear);
  } finally {
    session.stop();
  }
});

test('a server left in the meantime is removed when the stream starts', async () => {
  const { scene, channel, member, network, asked, answered, fetch, release } = await setUp();
  const ahead = await answered(asked());
  const session = tabOf(network, { fetch, ahead, hasKept: false });
  try {
    await session.isNear;
    assert.equal(contents(session, channel.id)?.length, 1);
    await scene.remove(`/server-members/${member.id}`);
    release();
    await until(() => session.connection().isBooted);
    assert.deepEqual([session.replica.all('server'), session.lines.get(channel.id)], [[], undefined]);
  } finally {
    session.stop();
  }
});

test('a draft stored in this browser wins over the one in the snapshot', async () => {
  const { scene, channel, network, asked } = await setUp();
  const place = { serverId: scene.server.id, channelId: channel.id };
  await network
    .api(place.serverId)
    .draftSave({ channelId: channel.id, content: 'at the server', version: 0 });
  const memory = keptInMemory();
  await memory.put('draft', channel.id, { ...place, id: channel.id, content: 'kept here', isSaved: false });
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const kept: Kept = { ...memory, all: (store) => opened.then(() => memory.all(store)) };
  const session = tabOf(network, { kept, ahead: asked() });
  try {
    await session.isNear;
    assert.equal(
      session.replica.states.size,
      0,
      'the session still waits for the stored data, but the render does not',
    );
    open();
    await until(() => session.lines.get(channel.id) !== undefined);
    assert.equal(session.drafts.get(channel.id).content, 'kept here');
  } finally {
    session.stop();
  }
});

test("a tab without a stream applies the leader's events instead of those after its own snapshot", async () => {
  const { scene, channel, message, browser, asked, answered } = await setUp();
  const name = `ahead-${scene.server.id}`;
  const locks: Locks = {
    request: (lock, options, run) => navigator.locks.request(`${name} ${lock}`, options, run),
  };
  const open = (ahead?: Ahead) => {
    const network = new Network(browser);
    const port = new BroadcastChannel(name) as unknown as Port;
    return tabOf(network, { locks, port, ...(ahead && { ahead }) });
  };
  const first = open();
  try {
    await until(() => first.connection().isBooted);
    const ahead = await answered(asked());
    await scene.message({ channelId: channel.id, content: 'since' });
    await first.actions.openChannel(channel.id);
    await until(() => contents(first, channel.id)?.length === 2);
    const second = open(ahead);
    try {
      await second.actions.openChannel(channel.id, { serverId: scene.server.id });
      await until(() => contents(second, channel.id)?.length === 2);
      assert.deepEqual(contents(second, channel.id), [message.content, 'since']);
      assert.equal(second.isLeading, false);
    } finally {
      second.stop();
    }
  } finally {
    first.stop();
  }
});

test("early responses are used by the page's first session, and only for the person who asked", async () => {
  const snapshot = Promise.resolve({ user: { id: 'ada' } } as never);
  const put = () => {
    globalThis.palaverAhead = {
      me: Promise.resolve({ id: 'ada' } as never),
      server: { id: 'server', snapshot },
    };
  };
  put();
  assert.equal((await meAhead())?.id, 'ada');
  assert.equal((await takeAhead('ada').server?.snapshot)?.user.id, 'ada');
  assert.deepEqual([takeAhead('ada'), await meAhead()], [{}, undefined]);
  put();
  assert.equal(await takeAhead('ben').server?.snapshot, undefined);
});
