import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertRefused, dataOf } from '../support/expect.ts';
import { makeFlow, messages, runOf, runsWith } from '../support/flows.ts';
import { metricOf } from '../support/metrics.ts';
import { until } from '../support/process.ts';
import { Scene } from '../support/scene.ts';
import { q } from '../support/sources.ts';
import { type Json, World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open({ limits: { '*': 0 }, timers: true });
  scene = await Scene.open(world);
});
after(() => world.close());

const send = async (channelId: string, content: string): Promise<Json> =>
  dataOf(await scene.admin.post('/messages', { channelId, content }));
const react = (messageId: string, emoji: string) => scene.make('/reactions', { messageId, emoji });
const waits = (): Promise<Json[]> => world.data.db.read.all(q.selectFrom('flowWait').selectAll());

/** A flow that answers, and waits for a reaction to its answer. */
const waiting = (channelId: string, seconds?: number) =>
  makeFlow(scene, messages(channelId), [
    { name: 'answer', do: 'message.send', channelId, content: 'React!' },
    {
      name: 'reacted',
      do: 'wait',
      ...(seconds !== undefined && { seconds }),
      event: {
        type: 'reaction.created',
        where: {
          all: [
            { path: 'event.data.messageId', equals: '{{steps.answer.output.id}}' },
            { path: 'event.data.emoji', in: ['✅', '❌'] },
          ],
        },
      },
    },
    { name: 'said', do: 'set', values: { emoji: '{{steps.reacted.output.event.data.emoji}}' } },
  ]);

test('a run waits for an event, and reads it', async () => {
  const { id: channelId } = await scene.channel();
  const flow = await waiting(channelId);
  const ping = await send(channelId, 'ping');
  await send(channelId, 'ping again');
  const both = await runsWith(scene, flow.id, 'waiting', 2);
  assert.equal((await waits()).length, 2);
  const [first, second] = both.map((run) => run.steps[0].output.id as string);
  await react(ping.id, '✅');
  await react(first as string, '👀');
  await react(first as string, '✅');
  await runsWith(scene, flow.id, 'done', 1);
  const done = await runOf(scene, both[0]?.id);
  assert.deepEqual(
    [done.status, done.steps[1].status, done.steps[1].output.timedOut, done.steps[2].output],
    ['done', 'done', false, { emoji: '✅' }],
  );
  assert.equal(done.steps[1].input.event.where.all[0].equals, first);
  assert.equal(done.steps[1].output.event.type, 'reaction.created');
  assert.equal((await runOf(scene, both[1]?.id)).status, 'waiting');
  await react(second as string, '❌');
  await runsWith(scene, flow.id, 'done', 2);
  assert.deepEqual(await waits(), []);
});

test('a run continues when its wait times out', async () => {
  const { id: channelId } = await scene.channel();
  const flow = await waiting(channelId, 1);
  await send(channelId, 'ping');
  const [run] = await runsWith(scene, flow.id, 'done');
  assert.deepEqual(run?.steps[1].output, { event: null, timedOut: true });
  assert.deepEqual(run?.steps[2].output, { emoji: null });
  assert.deepEqual(await waits(), []);
});

test('a wait considers the events since the one that started the run, except events caused by the flow itself', async () => {
  const { id: channelId } = await scene.channel();
  const next = {
    do: 'wait',
    seconds: 20,
    event: { type: 'message.created', where: { path: 'event.data.channelId', equals: channelId } },
  };
  const flow = await makeFlow(scene, messages(channelId), [
    { ...next, name: 'first' },
    { name: 'own', do: 'message.send', channelId, content: 'of the flow' },
    { ...next, name: 'other' },
  ]);
  // The second message is sent before the run waits for it.
  await send(channelId, 'ping');
  await send(channelId, 'second');
  let run: Json | undefined;
  await until(async () => {
    [run] = await runsWith(scene, flow.id, 'waiting');
    return run?.steps.length === 3;
  });
  assert.equal(run?.steps[0].output.event.data.content, 'second');
  await send(channelId, 'third');
  const [done] = await runsWith(scene, flow.id, 'done');
  assert.equal(done?.steps[2].output.event.data.content, 'third');
});

test('a wait is cancelled with its run, and counts as a waiting run', async () => {
  const { id: channelId } = await scene.channel();
  const flow = await waiting(channelId);
  await send(channelId, 'ping');
  const [run] = await runsWith(scene, flow.id, 'waiting');
  assert.ok(run?.wakeAt > Date.now() + 29 * 24 * 60 * 60_000);
  dataOf(await scene.admin.post(`/flow-runs/${run?.id}/cancel`, {}));
  assert.deepEqual(await waits(), []);
  await react(run?.steps[0].output.id, '✅');
  await until(async () => (await runOf(scene, run?.id)).status === 'cancelled');
});

test('a wait for an unknown event, or for an event and a time, is rejected', async () => {
  for (const [step, message] of [
    [{ event: { type: 'moon.risen' } }, /steps\[0\].event.type: "moon.risen" is not an event/],
    [{ event: { type: 'flowRun.updated' } }, /event.type/],
    [{ event: 'message.created' }, /must be an object/],
    [{ event: { type: 'pin.created', where: { path: 'event.id', like: 1 } } }, /event.where.like/],
    [{ seconds: 5, until: '{{input.at}}' }, /cannot be combined with until/],
    [{}, /is required without until or event/],
  ] as [Json, RegExp][]) {
    const steps = [{ do: 'wait', ...step }];
    const answer = await scene.admin.post('/flows', { name: 'Wrong', trigger: { on: 'manual' }, steps });
    assertRefused(answer, 'INVALID_REQUEST');
    assert.match(answer.body.error.message, message);
  }
});

test('metrics count runs and steps, and the backlog', async () => {
  const sample = (name: string) => metricOf(world, name);
  const done = () => sample('palaver_flow_runs_total{outcome="done"}');
  const [before, steps] = [await done(), await sample('palaver_flow_steps_total')];
  const { id: channelId } = await scene.channel();
  const flow = await waiting(channelId);
  await send(channelId, 'ping');
  const [run] = await runsWith(scene, flow.id, 'waiting');
  await until(async () => (await sample('palaver_flow_runs_waiting')) === 1);
  await react(run?.steps[0].output.id, '✅');
  await runsWith(scene, flow.id, 'done');
  await until(async () => (await done()) === before + 1);
  assert.equal(await sample('palaver_flow_steps_total'), steps + 3);
  assert.equal(await sample('palaver_flow_runs_waiting'), 0);
  assert.equal(await sample('palaver_flow_lag_seconds'), 0);
  assert.ok((await sample('palaver_flow_runs_total{outcome="started"}')) > 0);
});
