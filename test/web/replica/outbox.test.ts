import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { realAround } from '../../../web/replica/around.ts';
import { keptInMemory } from '../../../web/replica/kept.ts';
import { Browser } from '../../support/account.ts';
import { dataOf } from '../../support/expect.ts';
import { until } from '../../support/process.ts';
import { Network, tabOf } from '../../support/replicas.ts';
import { Scene } from '../../support/scene.ts';
import { type Json, listAll, World } from '../../support/world.ts';

let world: World;
before(async () => {
  world = await World.open();
});
after(() => world.close());

const around = {
  ...realAround,
  after: (ms: number, run: () => void) => realAround.after(ms > 15_000 ? ms : ms / 50, run),
};

/** A person with a channel, behind a network that the test can break. */
async function personWith() {
  const scene = await Scene.open(world);
  const user = await world.user();
  await world.member(scene.server, user);
  const channel = await scene.channel();
  const network = new Network(await Browser.of(world, user));
  const stored = async (): Promise<string[]> => {
    const rows: Json[] = await listAll(scene.admin, `/channels/${channel.id}/messages`);
    return rows.filter((row) => row.creatorId === user.id).map(({ content }) => content);
  };
  const message = (content: string) => ({ serverId: scene.server.id, channelId: channel.id, content });
  return { scene, channel, network, stored, message };
}

test('a message whose response is lost is resent with its key: it is stored once and no longer pending', async () => {
  const { channel, network, stored, message } = await personWith();
  let lost = 0;
  network.fault = (name, when) => {
    if (name === 'messageSend' && when === 'answer' && lost++ < 2) throw new TypeError('lost');
  };
  const session = tabOf(network, { around });
  try {
    await session.actions.openChannel(channel.id);
    await session.actions.send(message('once'));
    await until(() => session.outbox.unsent === 0);
    assert.deepEqual(await stored(), ['once']);
    assert.equal(lost, 3);
    const line = session.lines.get(channel.id);
    assert.equal(line?.ids.length, 1, 'it is shown once');
    assert.deepEqual(session.outbox.at(channel.id), []);
  } finally {
    session.stop();
  }
});

test('messages pending when the page closed are sent by the next page, once and in order', async () => {
  const { channel, network, stored, message } = await personWith();
  const kept = keptInMemory();
  network.fault = (name, when) => {
    if (name === 'messageSend' && when === 'answer') throw new TypeError('lost');
  };
  const first = tabOf(network, { around, kept });
  await first.actions.openChannel(channel.id);
  for (const content of ['one', 'two', 'three']) await first.actions.send(message(content));
  await until(async () => (await stored()).length === 1);
  first.stop();
  assert.equal((await kept.all('outbox')).length, 3);
  network.fault = () => {};
  const second = tabOf(network, { around, kept });
  try {
    await until(async () => (await stored()).length === 3 && second.outbox.unsent === 0);
    assert.deepEqual((await stored()).toSorted(), ['one', 'three', 'two']);
    await second.actions.openChannel(channel.id);
    const shown = second.lines.get(channel.id)?.ids.map((id) => second.replica.row('message', id)?.content);
    assert.deepEqual(shown, ['one', 'two', 'three']);
    assert.deepEqual(await kept.all('outbox'), []);
  } finally {
    second.stop();
  }
});

test('a message is written to the store, and then sent, before anything else runs', async () => {
  const { channel, network, stored, message } = await personWith();
  const kept = keptInMemory();
  const begun: string[] = [];
  const noting = {
    ...kept,
    put: (store: 'outbox' | 'draft', key: string, row: unknown) => {
      if (store === 'outbox') begun.push('put');
      return kept.put(store, key, row);
    },
  };
  network.fault = (name, when) => {
    if (name === 'messageSend' && when === 'request') begun.push('send');
    if (name === 'messageSend' && when === 'answer') throw new TypeError('lost');
  };
  const first = tabOf(network, { around, kept: noting });
  await first.actions.openChannel(channel.id);
  void first.actions.send(message('at once'));
  assert.deepEqual(begun, ['put', 'send'], 'in one task, in this order');
  // The page closes before the write or the request has completed.
  first.stop();
  assert.equal((await kept.all('outbox')).length, 1);
  network.fault = () => {};
  const second = tabOf(network, { around, kept });
  try {
    await until(async () => (await stored()).length === 1 && second.outbox.unsent === 0);
    assert.deepEqual(await stored(), ['at once']);
    assert.deepEqual(await kept.all('outbox'), []);
  } finally {
    second.stop();
  }
});

test('a draft is stored as a whole, at the latest when the page is left, and immediately when it is sent', async () => {
  const { channel, network, message } = await personWith();
  const kept = keptInMemory();
  const puts: string[] = [];
  let leave = () => {};
  const session = tabOf(network, {
    around,
    kept: {
      ...kept,
      put: (store, key, row) => {
        if (store === 'draft') puts.push((row as { content: string }).content);
        return kept.put(store, key, row);
      },
    },
    leaving: (listen) => {
      leave = listen;
      return () => {};
    },
  });
  try {
    await session.actions.openChannel(channel.id);
    for (let length = 1; length <= 20; length++) session.actions.saveDraft(channel.id, 'x'.repeat(length));
    assert.deepEqual(puts, []);
    leave();
    assert.deepEqual(puts, ['x'.repeat(20)]);
    await session.actions.send(message('x'.repeat(20)));
    assert.equal(puts.at(-1), '', 'it does not come back as a draft');
  } finally {
    session.stop();
  }
});

test('a rate-limited message is sent automatically once the server accepts it, without asking anyone', async () => {
  const { channel, network, stored, message } = await personWith();
  let limited = 0;
  network.fault = (name, when) => {
    if (name === 'messageSend' && when === 'request' && limited++ < 3)
      throw Object.assign(new Error('limited'), { code: 'RATE_LIMITED', status: 429 });
  };
  const session = tabOf(network, { around });
  try {
    await session.actions.openChannel(channel.id);
    await session.actions.send(message('in time'));
    assert.deepEqual(
      session.outbox.at(channel.id).map(({ content }) => content),
      ['in time'],
    );
    await until(() => session.outbox.unsent === 0);
    assert.deepEqual(await stored(), ['in time']);
    assert.equal(limited, 4);
  } finally {
    session.stop();
  }
});

test('a refusal keeps the text until the person retries or discards it', async () => {
  const { scene, channel, network, stored, message } = await personWith();
  const session = tabOf(network, { around });
  try {
    await session.actions.openChannel(channel.id);
    await scene.admin.patch(`/channels/${channel.id}`, { readonly: true });
    const key = await session.actions.send(message('refused'));
    await until(() => session.outbox.at(channel.id)[0]?.state === 'refused');
    const [pending] = session.outbox.at(channel.id);
    assert.equal(pending?.content, 'refused');
    assert.equal(pending?.error?.code, 'FORBIDDEN');
    await scene.admin.patch(`/channels/${channel.id}`, { readonly: false });
    session.actions.retry(key);
    await until(() => session.outbox.unsent === 0);
    assert.deepEqual(await stored(), ['refused']);
    await scene.admin.patch(`/channels/${channel.id}`, { readonly: true });
    const other = await session.actions.send(message('given up'));
    await until(() => session.outbox.at(channel.id)[0]?.state === 'refused');
    session.actions.discard(other);
    assert.deepEqual(session.outbox.at(channel.id), []);
  } finally {
    session.stop();
  }
});

test('a message that the browser could not store is marked until it is sent', async () => {
  const { channel, network, message } = await personWith();
  network.fault = (name) => {
    if (name === 'messageSend') throw new TypeError('lost');
  };
  const kept = { ...keptInMemory(), put: async () => false };
  const session = tabOf(network, { around, kept });
  try {
    await session.actions.openChannel(channel.id);
    const sent = session.actions.send(message('only here'));
    assert.equal(session.outbox.at(channel.id)[0]?.isOnlyHere, undefined);
    await sent;
    assert.equal(session.outbox.at(channel.id)[0]?.isOnlyHere, true);
    assert.equal(session.outbox.isUnsafe, true);
    network.fault = () => {};
    await until(() => session.outbox.unsent === 0);
    assert.equal(session.outbox.isUnsafe, false);
  } finally {
    session.stop();
  }
});

test('message keys are random UUIDs, even on pages without `crypto.randomUUID`', () => {
  const { randomUUID } = crypto;
  Object.defineProperty(crypto, 'randomUUID', { value: undefined, configurable: true });
  try {
    const ids = new Set(Array.from({ length: 1000 }, () => realAround.id()));
    assert.equal(ids.size, 1000);
    for (const id of ids)
      assert.match(id, /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  } finally {
    Object.defineProperty(crypto, 'randomUUID', { value: randomUUID, configurable: true });
  }
});

test('only a message with the same text in the same place replaces a pending message', async () => {
  const { scene, channel, network, message } = await personWith();
  const other = await scene.channel();
  network.fault = (name, when) => {
    if (name === 'messageSend' && when === 'request') throw new TypeError('lost');
  };
  const session = tabOf(network, { around });
  // The same person, in another browser.
  const { browser } = network;
  browser.place = scene.server.id;
  const say = async (channelId: string, content: string): Promise<string> =>
    dataOf(await browser.api.post('/messages', { channelId, content })).id;
  try {
    await session.actions.openChannel(channel.id);
    await session.actions.send(message('hello'));
    const waiting = () => session.outbox.at(channel.id).map(({ content }) => content);
    await until(() => network.calls.includes('messageSend'));
    await say(other.id, 'hello');
    const last = await say(channel.id, 'something else');
    await until(() => session.lines.get(channel.id)?.ids.includes(last) ?? false);
    assert.deepEqual(waiting(), ['hello']);
    await say(channel.id, 'hello');
    await until(() => waiting().length === 0);
  } finally {
    session.stop();
  }
});

test('a message that a word rule holds stays pending until it is approved', async () => {
  const { scene, channel, network, stored, message } = await personWith();
  const rule = { pattern: 'zzyzx', action: 'hold' };
  dataOf(await scene.admin.post(`/servers/${scene.server.id}/word-rules`, rule));
  const session = tabOf(network, { around });
  try {
    await session.actions.openChannel(channel.id);
    await session.actions.send(message('zzyzx'));
    await session.actions.send(message('next'));
    await until(async () => (await stored()).length === 1);
    await until(() => session.outbox.at(channel.id).length === 1);
    const [pending] = session.outbox.at(channel.id);
    assert.equal(pending?.state, 'held');
    assert.equal(session.outbox.isUnsafe, false);
    assert.equal(session.outbox.unsent, 0);
    dataOf(await scene.admin.post(`/held-messages/${pending.heldId}/approve`, {}));
    await until(() => session.outbox.at(channel.id).length === 0);
    assert.deepEqual((await stored()).toSorted(), ['next', 'zzyzx']);
  } finally {
    session.stop();
  }
});
