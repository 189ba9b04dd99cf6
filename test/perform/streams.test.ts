import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../support/process.ts';
import { Scene } from '../support/scene.ts';
import { type Client, World } from '../support/world.ts';

const STREAMS = 20;

let world: World;
let scene: Scene;
const ending = new AbortController();
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
});
after(async () => {
  ending.abort();
  await world.close();
});

test('open streams are checked one by one only after permissions have changed', async () => {
  const { db } = world.data;
  let client: Client | undefined;
  // A response that is garbage-collected would close its stream.
  const answers: Response[] = [];
  for (let number = 0; number < STREAMS; number++) {
    client = await world.client(scene.server, ['canViewData']);
    const headers = { authorization: `Bearer ${client.key}`, accept: 'text/event-stream' };
    const answer = await fetch(`${world.url}/api/v1/events`, { headers, signal: ending.signal });
    assert.equal(answer.status, 200);
    answers.push(answer);
  }
  const original = db.authorityHasChanged;
  let checked = 0;
  db.authorityHasChanged = (...given) => {
    checked++;
    return original.apply(db, given);
  };
  // The checks after the last stream was opened, and then several more. There is no event to wait for.
  await sleep(500);
  checked = 0;
  await sleep(1_000);
  assert.ok(checked < STREAMS, `${checked} checks at rest`);
  await scene.remove(`/secrets/${client?.secret.id}`);
  await until(() => checked >= STREAMS);
  assert.equal(answers.length, STREAMS);
});
