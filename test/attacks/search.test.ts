import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fillChannel } from '../support/messages.ts';
import { Scene } from '../support/scene.ts';
import { type Json, World } from '../support/world.ts';

/** Each message has many words with each of the searched prefixes. */
const MESSAGES = 30_000;
const CONTENT = 'the thing that they told them then, with ten times two tests to try today';

let world: World;
let scene: Scene;
let channel: Json;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
  channel = await scene.channel();
  await fillChannel(world, channel, scene.owner.id, MESSAGES, undefined, () => CONTENT);
});
after(() => world.close());

/** Expensive searches: prefixes of most words, and filters that almost no message matches. */
const searches = [
  'q=t+w+th+te+to',
  'q="then+with"+"two+tests"+today&type=system',
  'q=t&before=1',
  'q=t+zebra',
];

/**
 * Sends at least 20 short requests, and continues until `over` resolves. Returns the 90th percentile of their
 * latency, in ms.
 */
async function typicalUntil(over: Promise<unknown>): Promise<number> {
  let isOver = false;
  const done = over.finally(() => {
    isOver = true;
  });
  const times: number[] = [];
  while (!isOver || times.length < 20) {
    const started = performance.now();
    assert.equal((await scene.admin.get(`/servers/${scene.server.id}`)).status, 200);
    times.push(performance.now() - started);
  }
  await done;
  times.sort((one, other) => one - other);
  return times[Math.floor(times.length * 0.9)] as number;
}

/**
 * Wall time includes delays by other processes, so a slow attempt is repeated. Requests that are really
 * blocked are slow in every attempt.
 */
const TRIES = 5;

test('sixty expensive concurrent searches, right after a burst of messages and later, do not delay other requests', async () => {
  for (const when of ['at once', 'later']) {
    for (let left = TRIES - 1; ; left--) {
      const alone = await typicalUntil(Promise.resolve());
      const asked = Array.from({ length: 60 }, (_, index) =>
        scene.admin.get(`/channels/${channel.id}/messages?limit=100&${searches[index % searches.length]}`),
      );
      const beside = await typicalUntil(Promise.all(asked));
      for (const answer of asked) assert.equal((await answer).status, 200);
      if (beside < 100 + 10 * alone) break;
      assert.ok(left > 0, `${when}: others took ${beside.toFixed(0)} ms, and ${alone.toFixed(0)} ms alone`);
    }
  }
});
