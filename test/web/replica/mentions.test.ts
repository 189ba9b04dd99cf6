import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser } from '../../support/account.ts';
import { dataOf } from '../../support/expect.ts';
import { until } from '../../support/process.ts';
import { Network, tabOf } from '../../support/replicas.ts';
import { Scene } from '../../support/scene.ts';
import { World } from '../../support/world.ts';

let world: World;
before(async () => {
  world = await World.open({ limits: { '*': 0 } });
});
after(() => world.close());

test('mentions that edits add and remove change the counts and the inbox of an open client', async () => {
  const scene = await Scene.open(world);
  const user = await world.user();
  await world.member(scene.server, user);
  const { id: channelId } = await scene.channel();
  const session = tabOf(new Network(await Browser.of(world, user)));
  try {
    await session.actions.openChannel(channelId);
    const mentions = () => session.reading.channel(channelId)?.mentions;
    await until(() => mentions() === 0);
    const told = () => session.replica.rows('notification', 'all', '').map(({ messageId }) => messageId);
    const { id } = await scene.message({ channelId, content: 'hey' });
    const edit = async (content: string) => dataOf(await scene.admin.patch(`/messages/${id}`, { content }));
    await edit(`hey @${user.username}`);
    await until(() => mentions() === 1 && told().includes(id));
    await edit('hey nobody');
    await until(() => mentions() === 0 && !told().includes(id));
    assert.deepEqual(told(), []);
  } finally {
    session.stop();
  }
});
