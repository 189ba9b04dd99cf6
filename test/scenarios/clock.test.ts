import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idsOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { listAll, TestClock, World } from '../support/world.ts';

/** Milliseconds by which the clock is behind after the restart: a second, a minute, and a day. */
for (const behind of [1_000, 60_000, 86_400_000]) {
  test(`identifiers do not go back after a restart with a clock that is ${behind / 1000} s behind`, async (t) => {
    const clock = new TestClock();
    const first = await World.open({ clock });
    t.after(() => first.close());
    const scene = await Scene.open(first);
    const channel = await scene.channel();
    const before = [
      await scene.message({ channelId: channel.id }),
      await scene.message({ channelId: channel.id }),
    ];
    await first.node.close();

    const late = new TestClock();
    late.advance(-behind);
    const second = await World.open({ clock: late, place: first.place });
    t.after(() => second.close());
    const client = second.as(scene.admin.key);
    const after = [];
    for (let index = 0; index < 3; index++) {
      const { data } = await client.post('/messages', { channelId: channel.id, content: 'again' });
      after.push(data);
      late.advance(1);
    }
    const ids = idsOf([...before, ...after]);
    assert.deepEqual(ids.toSorted(), ids);
    assert.deepEqual(idsOf(await listAll(client, `/channels/${channel.id}/messages?order=asc`, 2)), ids);
    assert.ok(after[0].createdAt >= before[1]?.createdAt);
    // The clock has caught up: identifiers follow it again.
    late.advance(behind + 60_000);
    const { data } = await client.post('/messages', { channelId: channel.id, content: 'later' });
    assert.equal(data.createdAt, late.at);
  });
}

test('identifiers do not go back while the clock is set back', async (t) => {
  const clock = new TestClock();
  const world = await World.open({ clock });
  t.after(() => world.close());
  const scene = await Scene.open(world);
  const channel = await scene.channel();
  const sent = [];
  for (const step of [0, -1, -20_000, -3_600_000]) {
    clock.advance(step);
    sent.push(await scene.message({ channelId: channel.id }));
  }
  const ids = idsOf(sent);
  assert.deepEqual(ids.toSorted(), ids);
});
