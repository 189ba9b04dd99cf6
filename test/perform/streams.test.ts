import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Streams } from '../../server/src/http/streams/streams.ts';
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

test('a stream that opens while the server closes ends at once', async (t) => {
  const closing = await World.open();
  const { key } = await closing.client((await Scene.open(closing)).server, ['canViewData']);
  const turn = Promise.withResolvers<void>();
  const turns = t.mock.method(Streams.prototype, 'turn', () => turn.promise);
  const closes = t.mock.method(Streams.prototype, 'close');
  const opened = t.mock.method(Streams.prototype, 'open');
  const headers = { authorization: `Bearer ${key}`, accept: 'text/event-stream' };
  const answer = fetch(`${closing.url}/api/v1/events`, { headers });
  await until(() => turns.mock.callCount() > 0);
  const start = performance.now();
  const closed = closing.close();
  await until(() => closes.mock.callCount() > 0);
  turn.resolve();
  const { status } = await answer;
  await (await answer).text();
  await closed;
  assert.deepEqual([status, opened.mock.callCount()], [200, 1]);
  assert.ok(performance.now() - start < 7_000, 'the server did not wait for the stream');
  // Checking credentials after this would fail, because the database is closed.
  const [call] = opened.mock.calls;
  assert.ok(call?.this instanceof Streams);
  assert.equal(call.this.amount, 0);
});
