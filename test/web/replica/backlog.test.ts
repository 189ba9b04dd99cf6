import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Browser } from '../../support/account.ts';
import { until } from '../../support/process.ts';
import { repeatLatest } from '../../support/repeated.ts';
import { Network, tabOf } from '../../support/replicas.ts';
import { Scene } from '../../support/scene.ts';
import { World } from '../../support/world.ts';

const MISSED = 100_000;
/**
 * Maximum number of events applied before the client reads the snapshot instead: its limit of 2,000, plus
 * events that are still in flight when it reaches the limit.
 */
const MOST_APPLIED = 2_500;

let world: World;
before(async () => {
  world = await World.open();
});
after(() => world.close());

test('after 100,000 missed events the snapshot is read once instead, and other servers continue', async () => {
  const [scene, other] = [await Scene.open(world), await Scene.open(world)];
  const user = await world.user();
  for (const each of [scene, other]) await world.member(each.server, user);
  const channel = await scene.channel();
  const quiet = await other.channel();
  const message = await scene.message({ channelId: channel.id, content: 'as it was' });
  const network = new Network(await Browser.of(world, user));
  let isAway = false;
  let streams = 0;
  const session = tabOf(network, {
    fetch: (path, init) => {
      if (isAway) return Promise.reject(new TypeError('no network'));
      streams++;
      return network.fetch(path, init);
    },
  });
  try {
    for (const { id } of [channel, quiet]) await session.actions.openChannel(id);
    const content = () => session.replica.row('message', message.id)?.content;
    await until(() => content() === 'as it was');
    isAway = true;
    network.cut();
    await scene.admin.patch(`/messages/${message.id}`, { content: 'in between' });
    repeatLatest(join(world.folder, 'palaver.db'), scene.server.id, MISSED);
    await scene.admin.patch(`/messages/${message.id}`, { content: 'as it is' });
    const meanwhile = await other.message({ channelId: quiet.id, content: 'meanwhile' });
    let applied = 0;
    session.onEvent(() => applied++);
    const [calls, before] = [network.calls.length, streams];
    isAway = false;
    session.actions.reconnect();
    const isWhole = () =>
      content() === 'as it is' && session.replica.row('message', meanwhile.id) !== undefined;
    // The missed events also contain the current content, so this also waits for the snapshot, and for the
    // stream that follows it.
    const isRead = () => network.calls.slice(calls).includes('serverSnapshot');
    await until(() => isWhole() && streams - before > 1 && isRead(), 20_000);
    assert.ok(applied <= MOST_APPLIED, `${applied} events were applied`);
    assert.equal(streams - before, 2);
    await until(() => network.underWay === 0);
    const asked = network.calls.slice(calls);
    assert.equal(asked.filter((name) => name === 'serverSnapshot').length, 1, String(asked));
    // The page follows the stream as before.
    await scene.admin.patch(`/messages/${message.id}`, { content: 'and goes on' });
    await until(() => content() === 'and goes on');
  } finally {
    session.stop();
  }
});
