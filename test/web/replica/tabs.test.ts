import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { realAround } from '../../../web/replica/around.ts';
import { Neighbours } from '../../../web/replica/neighbours.ts';
import { type Locks, type Port, Tabs, type TabsAround } from '../../../web/replica/tabs.ts';
import { Browser } from '../../support/account.ts';
import { until } from '../../support/process.ts';
import { Network, type Session, tabOf } from '../../support/replicas.ts';
import { Scene } from '../../support/scene.ts';
import { World } from '../../support/world.ts';

let world: World;
before(async () => {
  world = await World.open();
});
after(() => world.close());

/** Shortened delays, so a silent tab is replaced soon. */
const hurried = { ...realAround, after: (ms: number, run: () => void) => realAround.after(ms / 20, run) };

let names = 0;

/** A browser whose tabs belong to the same person. Each tab has its own network and counts its streams. */
async function browserWith() {
  const scene = await Scene.open(world);
  const user = await world.user();
  await world.member(scene.server, user);
  const channel = await scene.channel();
  const name = `tabs-${names++}`;
  const browser = await Browser.of(world, user);
  const granted: Locks['request'] = (lock, options, run) =>
    navigator.locks.request(`${name} ${lock}`, options, run);
  const open = (around = realAround, request = granted) => {
    let streams = 0;
    const network = new Network(browser);
    const port = new BroadcastChannel(name) as unknown as Port;
    const locks: Locks = { request };
    const fetch: Network['fetch'] = (path, init) => {
      streams++;
      return network.fetch(path, init);
    };
    const session = tabOf(network, { port, locks, fetch, around });
    return { session, network, port, streams: () => streams };
  };
  const shows = (session: Session, content: string) =>
    session.lines.get(channel.id)?.ids.some((id) => session.replica.row('message', id)?.content === content);
  return { scene, channel, open, shows };
}

test('one tab streams to the others, a new tab gets everything, and a successor resumes the stream', async () => {
  const { scene, channel, open, shows } = await browserWith();
  const first = open();
  await first.session.actions.openChannel(channel.id);
  const others = [open(), open()];
  try {
    for (const { session } of others) await session.actions.openChannel(channel.id);
    await scene.message({ channelId: channel.id, content: 'to all' });
    for (const { session } of [first, ...others]) await until(() => shows(session, 'to all') === true);
    assert.deepEqual(
      others.map(({ streams }) => streams()),
      [0, 0],
    );
    const calls = others.map(({ network }) => network.calls.length);
    first.session.stop();
    await scene.message({ channelId: channel.id, content: 'after its end' });
    for (const { session } of others) await until(() => shows(session, 'after its end') === true);
    assert.equal(
      others.reduce((sum, { streams }) => sum + streams(), 0),
      1,
      'one of them streams',
    );
    assert.deepEqual(
      others.map(({ network }) => network.calls.length),
      calls,
      'nothing was read again',
    );
  } finally {
    for (const { session } of [first, ...others]) session.stop();
  }
});

test('without locks, each tab streams for itself and requests the lock once', async () => {
  const { scene, channel, open, shows } = await browserWith();
  let asked = 0;
  const refused: Locks['request'] = async (lock) => {
    if (lock === 'palaver-stream') asked++;
    // A tab that retries immediately would never stop.
    if (asked > 50) return new Promise(() => {});
    throw new DOMException('no locks for this page', 'SecurityError');
  };
  const tabs = [open(realAround, refused), open(realAround, refused)];
  try {
    for (const { session } of tabs) await session.actions.openChannel(channel.id);
    await scene.message({ channelId: channel.id, content: 'to each' });
    for (const { session } of tabs) await until(() => shows(session, 'to each') === true);
    assert.deepEqual(
      tabs.map(({ streams }) => streams()),
      [1, 1],
    );
    assert.equal(asked, 2);
  } finally {
    for (const { session } of tabs) session.stop();
  }
});

test('a silent tab that holds the lock is replaced', async () => {
  const { scene, channel, open, shows } = await browserWith();
  const silent = open();
  await silent.session.actions.openChannel(channel.id);
  const other = open(hurried);
  try {
    await other.session.actions.openChannel(channel.id);
    // Simulates a frozen tab.
    silent.port.postMessage = () => {};
    await until(() => other.streams() > 0);
    await scene.message({ channelId: channel.id, content: 'heard again' });
    await until(() => shows(other.session, 'heard again') === true);
  } finally {
    for (const { session } of [silent, other]) session.stop();
  }
});

test('a lock that is granted after the tab has stopped is released at once', async () => {
  const granted: (() => Promise<void>)[] = [];
  const request: Locks['request'] = (_lock, _options, run) => {
    granted.push(run);
    return new Promise(() => {});
  };
  let leads = 0;
  const port = { postMessage: () => {}, onmessage: null, close: () => {} };
  const sight = { isShown: () => true, listen: () => () => {} };
  const of = {
    locks: { request },
    port,
    sight,
    around: realAround,
    id: 'tab',
    follow() {},
    lead: () => leads++,
  };
  const tabs = new Tabs(of as unknown as TabsAround);
  tabs.start();
  tabs.stop();
  let isReleased = false;
  void granted[0]?.().then(() => {
    isReleased = true;
  });
  await until(() => isReleased);
  assert.deepEqual([leads, tabs.isLeading], [0, false]);
});

test('a tab waits for each other tab once', () => {
  const asked: string[] = [];
  const request: Locks['request'] = (lock) => {
    asked.push(lock);
    return new Promise(() => {});
  };
  const neighbours = new Neighbours({ locks: { request }, id: 'own', gone: async () => {} });
  const met = ['other', 'own', 'other', 'third'].map((id) => neighbours.meet(id));
  assert.deepEqual(met, [true, false, false, true]);
  assert.deepEqual(asked, ['palaver-tab other', 'palaver-tab third']);
});
