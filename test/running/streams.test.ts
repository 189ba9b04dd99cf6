// @run sqlite, waits: tests code that runs after all data is read; waits for time to pass
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { EventStream } from '../support/eventStream.ts';
import { until } from '../support/process.ts';
import { Scene } from '../support/scene.ts';
import { World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
});
after(() => world.close());

const open = (headers: Record<string, string> = {}) => EventStream.open(world, scene.admin.key, {}, headers);

/** The number of open streams in the server's metrics. */
async function amount(): Promise<number> {
  const text = await (await fetch(`${world.url}/metrics`)).text();
  return Number(/^palaver_streams (\d+)$/m.exec(text)?.[1]);
}

describe('event streams over time', { concurrency: true }, () => {
  test('send a heartbeat at least every 15 seconds', async () => {
    // The stream stays open, because the other test counts streams in the meantime.
    const stream = await open();
    await until(() => stream.blocks.some(({ comment }) => comment === ''), 15_500);
    const { blocks } = stream;
    const place = blocks.findIndex(({ comment }) => comment === '');
    assert.equal(blocks[place]?.id, blocks[place - 1]?.id);
  });

  test('disconnect a client that does not read, without affecting others; it can continue from its cursor', async () => {
    const content = 'x'.repeat(8_000);
    const { id: channelId } = await scene.channel();
    const slow = await open();
    const quick = await open();
    const cursor = slow.headers['last-event-id'] as string;
    // The two streams opened here, and one from the other test.
    await until(async () => (await amount()) === 3, 15_000);
    slow.pause();
    // These messages exceed the operating system's buffers on both sides.
    for (let sent = 0; sent < 1_500; sent += 50) {
      await Promise.all(Array.from({ length: 50 }, () => scene.message({ channelId, content })));
    }
    await until(() => quick.events.length === 1_500);
    await until(async () => (await amount()) === 2, 15_000);
    slow.resume();
    await slow.over();
    const next = await open({ 'last-event-id': cursor });
    await until(() => next.events.length === 1_500, 15_000);
    assert.deepEqual(next.events, quick.events);
    next.close();
    quick.close();
  });
});
