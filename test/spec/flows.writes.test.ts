import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { dataOf } from '../support/expect.ts';
import { contentsOf, makeFlow, runOf, runsWith } from '../support/flows.ts';
import { until } from '../support/process.ts';
import { Scene } from '../support/scene.ts';
import { find } from '../support/sources.ts';
import { type Json, World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open({ limits: { '*': 0 }, timers: true });
  scene = await Scene.open(world);
});
after(() => world.close());

const start = async ({ id }: Json, input: Json = {}): Promise<Json> =>
  dataOf(await scene.admin.post(`/flows/${id}/run`, { input }));

/** Returns the number of writes to the server that a flow with these steps needs per run. */
async function writesOf(steps: readonly Json[]): Promise<number> {
  const flow = await makeFlow(scene, { on: 'manual' }, steps);
  const { db } = world.data;
  const { write } = db;
  let writes = 0;
  db.write = (work, serverId, alsoIn) => {
    if (serverId === scene.server.id) writes++;
    return write.call(db, work, serverId, alsoIn) as ReturnType<typeof work>;
  };
  try {
    await start(flow);
    await runsWith(scene, flow.id, 'done');
    return writes;
  } finally {
    db.write = write;
  }
}

test('consecutive steps share a write, up to ten steps', async () => {
  const { id: channelId } = await scene.channel();
  const sends = (count: number) =>
    Array.from({ length: count }, (_, number) => ({ do: 'message.send', channelId, content: `${number}` }));
  const one = await writesOf(sends(1));
  assert.equal(await writesOf(sends(10)), one);
  assert.equal(await writesOf(sends(11)), one + 1);
  const where = { path: 'input', isEmpty: true };
  // biome-ignore lint/suspicious/noThenProperty: the name of a field; the object is never awaited
  const branch = { do: 'if', where, then: sends(2), else: sends(2) };
  // A branch's writes count towards the limit per minute once the branch is known.
  assert.equal(await writesOf([...sends(2), branch, ...sends(2)]), one + 1);
});

test('after a failed step, the steps before it in the same write take effect once', async () => {
  const { id: channelId } = await scene.channel();
  const message = dataOf(await scene.admin.post('/messages', { channelId, content: 'ping' }));
  const reaction = { do: 'reaction.add', messageId: message.id, emoji: '📣' };
  const send = (name: string, content = name) => ({ name, do: 'message.send', channelId, content });
  const flow = await makeFlow(scene, { on: 'manual' }, [
    send('first'),
    { name: 'mark', ...reaction },
    send('second'),
    { name: 'again', ...reaction },
    { name: 'unready', do: 'each', items: '{{input.items}}', steps: [send('hello', '{{item}}')] },
    send('third'),
  ]);
  const { id } = await start(flow, { items: 'none' });
  const [failed] = await runsWith(scene, flow.id, 'failed');
  assert.equal(failed?.error, 'unready: items is not a list');
  assert.deepEqual(
    failed?.steps.map(({ name, status, attempts }: Json) => [name, status, attempts]),
    [
      ['first', 'done', 1],
      ['mark', 'done', 1],
      ['second', 'done', 1],
      ['again', 'done', 1],
      ['unready', 'failed', 1],
    ],
  );
  assert.equal(failed?.steps[3].output.id, failed?.steps[1].output.id);
  assert.deepEqual(await contentsOf(scene, channelId), ['ping', 'first', 'second']);
  assert.deepEqual(dataOf(await scene.admin.get(`/messages/${message.id}`)).reactions, [
    { emoji: '📣', count: 1 },
  ]);
  dataOf(await scene.admin.post(`/flow-runs/${id}/retry`, {}));
  await until(async () => (await runOf(scene, id)).status === 'failed');
  assert.deepEqual(await contentsOf(scene, channelId), ['ping', 'first', 'second']);
});

test('a list with some failing items is processed completely, each item once', async () => {
  const { id: channelId } = await scene.channel();
  const message = dataOf(await scene.admin.post('/messages', { channelId, content: 'ping' }));
  const emoji = ['📣', '👍', '📣', '👀', '🎉', '👍', '🚀', '📣', '❤️', '👋', '🔥', '👀', '✅'];
  const flow = await makeFlow(scene, { on: 'manual' }, [
    {
      do: 'each',
      items: '{{input.emoji}}',
      steps: [
        { name: 'mark', do: 'reaction.add', messageId: message.id, emoji: '{{item}}' },
        { name: 'say', do: 'message.send', channelId, content: '{{index}} {{item}}' },
      ],
    },
  ]);
  await start(flow, { emoji });
  const [done] = await runsWith(scene, flow.id, 'done');
  assert.equal(done?.steps.length, 1 + 2 * emoji.length);
  assert.ok(done?.steps.every(({ attempts }: Json) => attempts === 1));
  assert.deepEqual(await contentsOf(scene, channelId), ['ping', ...emoji.map((one, at) => `${at} ${one}`)]);
  const { reactions } = dataOf(await scene.admin.get(`/messages/${message.id}`));
  assert.deepEqual(
    reactions.map(({ emoji, count }: Json) => [emoji, count]).sort(),
    [...new Set(emoji)].map((one) => [one, 1]).sort(),
  );
});

test('a run pauses at the step for which the server has no writes left in this minute', async () => {
  const bounded = await World.open({
    limits: { '*': 0 },
    timers: true,
    flowBounds: { runsPerMinute: 0, writesPerMinute: 5, waiting: 0 },
  });
  try {
    const there = await Scene.open(bounded);
    const { id: channelId } = await there.channel();
    const sends = Array.from({ length: 8 }, (_, at) => ({
      do: 'message.send',
      channelId,
      content: `${at}`,
    }));
    const flow = await makeFlow(there, { on: 'manual' }, sends);
    const { id } = dataOf(await there.admin.post(`/flows/${flow.id}/run`, {}));
    const { db } = bounded.data;
    await until(async () => {
      const timer = await db.read.first(find('timer', { id }));
      return timer !== undefined && timer.dueAt > Date.now() + 30_000;
    });
    assert.equal((await runOf(there, id)).status, 'running');
    assert.deepEqual(await contentsOf(there, channelId), ['0', '1', '2', '3', '4']);
  } finally {
    await bounded.close();
  }
});
