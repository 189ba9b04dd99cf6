import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { realAround } from '../../../web/replica/around.ts';
import { keptInMemory } from '../../../web/replica/kept.ts';
import type { Locks, Port } from '../../../web/replica/tabs.ts';
import { Browser } from '../../support/account.ts';
import { until } from '../../support/process.ts';
import { Network, tabOf } from '../../support/replicas.ts';
import { Scene } from '../../support/scene.ts';
import { type Json, listAll, World } from '../../support/world.ts';

let world: World;
before(async () => {
  world = await World.open();
});
after(() => world.close());

/** Shortened delays for the outbox. */
const hurried = {
  ...realAround,
  after: (ms: number, run: () => void) => realAround.after(ms > 15_000 ? ms : ms / 20, run),
};

/** A browser whose tabs share its storage and locks. */
async function browserWith(name: string) {
  const scene = await Scene.open(world);
  const user = await world.user();
  await world.member(scene.server, user);
  const channel = await scene.channel();
  const browser = await Browser.of(world, user);
  const kept = keptInMemory();
  const locks: Locks = {
    request: (lock, options, run) => navigator.locks.request(`${name} ${lock}`, options, run),
  };
  const open = () => {
    const network = new Network(browser);
    const port = new BroadcastChannel(name) as unknown as Port;
    return { network, session: tabOf(network, { kept, locks, port, around: hurried }) };
  };
  const sent = async (): Promise<string[]> => {
    const rows: Json[] = await listAll(scene.admin, `/channels/${channel.id}/messages`);
    return rows.map(({ content }) => content).reverse();
  };
  const message = (content: string) => ({ serverId: scene.server.id, channelId: channel.id, content });
  return { channel, open, sent, message };
}

const lost = (name: string) => {
  if (name === 'messageSend') throw new TypeError('no network');
};

test('messages that a closed tab has not sent are sent by one of the other tabs, once and in order', async () => {
  const { channel, open, sent, message } = await browserWith('inherited-closed');
  const tabs = [open(), open(), open()];
  const [first, ...others] = tabs;
  assert.ok(first);
  try {
    for (const { session } of tabs) await session.actions.openChannel(channel.id);
    first.network.fault = lost;
    for (const content of ['one', 'two', 'three']) await first.session.actions.send(message(content));
    // While the tab is open, no other tab sends or shows its messages.
    const late = open();
    tabs.push(late);
    await late.session.actions.openChannel(channel.id);
    for (const { session } of [...others, late]) assert.deepEqual(session.outbox.at(channel.id), []);
    assert.deepEqual(await sent(), []);
    first.session.stop();
    await until(async () => (await sent()).length === 3);
    assert.deepEqual(await sent(), ['one', 'two', 'three']);
    for (const { session } of [...others, late]) await until(() => session.outbox.unsent === 0);
    const sending = [...others, late].filter(({ network }) => network.calls.includes('messageSend'));
    assert.equal(sending.length, 1, 'one tab has sent all messages');
  } finally {
    for (const { session } of tabs) session.stop();
  }
});

test('a message discarded in its tab is not sent by another one', async () => {
  const { channel, open, sent, message } = await browserWith('inherited-discarded');
  const [first, other] = [open(), open()];
  try {
    for (const { session } of [first, other]) await session.actions.openChannel(channel.id);
    first.network.fault = lost;
    const key = await first.session.actions.send(message('given up'));
    await first.session.actions.send(message('meant'));
    first.session.actions.discard(key);
    first.session.stop();
    await until(async () => (await sent()).length > 0);
    assert.deepEqual(await sent(), ['meant']);
  } finally {
    for (const { session } of [first, other]) session.stop();
  }
});
