import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { dataOf } from '../support/expect.ts';
import { contentsOf, makeFlow, messages, runOf, runsWith } from '../support/flows.ts';
import { until } from '../support/process.ts';
import { Scene } from '../support/scene.ts';
import { type Json, World } from '../support/world.ts';
import { TestClock } from '../support/worldOptions.ts';

const DAY_MS = 24 * 60 * 60_000;

const clock = new TestClock();
let world: World;
let scene: Scene;
before(async () => {
  world = await World.open({ limits: { '*': 0 }, timers: true, clock });
  scene = await Scene.open(world);
});
after(() => world.close());

test('a run that waits for 30 days outlives its event, and fails only if a step reads it', async () => {
  const { id: channelId } = await scene.channel();
  const then = { name: 'then', do: 'message.send', channelId };
  const wait = { name: 'pause', do: 'wait' };
  const pattern = { path: 'event.data.content', matches: '\\{{2}', equals: '{{event.data.content}}' };
  const buttons = [{ id: 'yes', text: 'Yes' }];
  const make = (steps: Json[]) => makeFlow(scene, messages(channelId), steps);
  const asking = await make([
    {
      name: 'ask',
      do: 'ask',
      channelId,
      content: 'Well?',
      buttons,
      timeoutText: 'Nobody: {{event.data.content}}',
    },
    { ...then, content: 'done {{steps.ask.output.timedOut}}' },
  ]);
  const pausing = await make([
    { ...wait, event: { type: 'pin.created', where: pattern } },
    { ...then, content: 'done {{steps.pause.output.timedOut}}' },
  ]);
  const reading = await make([
    { ...wait, seconds: 30 * 24 * 60 * 60 },
    { ...then, content: '{{event.data.content}}' },
  ]);
  const message: Json = dataOf(await scene.admin.post('/messages', { channelId, content: 'ping' }));
  const waiting: Json[] = [];
  for (const { id } of [asking, pausing, reading]) waiting.push(...(await runsWith(scene, id, 'waiting')));
  const [asked, paused, read] = waiting.map(({ id }) => id as string) as [string, string, string];
  assert.deepEqual((await runOf(scene, paused)).steps[0].input.event.where, { ...pattern, equals: 'ping' });
  clock.advance(30 * DAY_MS - 1_000);
  dataOf(await scene.admin.post('/messages', { channelId, content: 'later' }));
  await world.tidy();
  clock.advance(2_000);
  await world.tidy();
  const ended = async (id: string): Promise<Json> => {
    await until(async () => (await runOf(scene, id)).endedAt !== null);
    return runOf(scene, id);
  };
  for (const id of [asked, paused]) {
    const { status, error } = await ended(id);
    assert.deepEqual([status, error], ['done', null]);
  }
  assert.equal(
    (await ended(read)).error,
    'then: the event is no longer kept, or the flow can no longer see it',
  );
  assert.ok(message.id < asked);
  const contents = await contentsOf(scene, channelId);
  assert.equal(contents.filter((one) => one === 'done true').length, 2);
  const [, question] = dataOf(await scene.admin.get(`/channels/${channelId}/messages?order=asc`));
  assert.equal(question.blocks[0].text, 'Nobody: ping');
});
