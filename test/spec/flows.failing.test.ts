import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { pino } from 'pino';
import { assertRefused, dataOf } from '../support/expect.ts';
import { makeFlow, messages, runOf, runsOf, runsWith } from '../support/flows.ts';
import { until } from '../support/process.ts';
import { Scene } from '../support/scene.ts';
import { q, update } from '../support/sources.ts';
import { type Json, World } from '../support/world.ts';

const lines: Json[] = [];
const logger = pino({ level: 'error', base: undefined }, { write: (line) => lines.push(JSON.parse(line)) });

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open({ limits: { '*': 0 }, timers: true, logger });
  scene = await Scene.open(world);
});
afterEach(() => {
  lines.length = 0;
});
after(() => world.close());

const set = { name: 'keep', do: 'set', values: { a: 1 } };
const send = async (channelId: string, content: string): Promise<Json> =>
  dataOf(await scene.admin.post('/messages', { channelId, content }));
/** Stores a trigger that the API would reject. */
const store = ({ id }: Json, trigger: unknown): Promise<void> =>
  world.data.db.write((tx) => tx.run(update('flow', id, { trigger })));
const errorsOf = ({ id }: Json): string[] =>
  lines.filter(({ flowId }) => flowId === id).map(({ err }) => err.type);

test('a condition that is null or empty is rejected, in triggers and in steps', async () => {
  const wait = (where: unknown) => ({ do: 'wait', event: { type: 'message.created', where } });
  for (const where of [null, '', 0, []])
    for (const [trigger, step, path] of [
      [{ on: 'event', type: 'message.created', where }, set, 'trigger.where'],
      [{ on: 'manual' }, { do: 'if', where }, 'steps[0].where'],
      [{ on: 'manual' }, wait(where), 'steps[0].event.where'],
    ] as [Json, Json, string][]) {
      const answer = await scene.admin.post('/flows', { name: 'Wrong', trigger, steps: [step] });
      assertRefused(answer, 'INVALID_REQUEST');
      assert.equal(answer.body.error.details[0].path, path);
    }
});

test('nested steps are ignored in steps that cannot have any', async () => {
  for (const inner of [5, 'steps', [null], [{ do: 'nothing' }], [{ do: 'role.give' }]]) {
    // biome-ignore lint/suspicious/noThenProperty: the name of a field; the object is never awaited
    const flow = await makeFlow(scene, { on: 'manual' }, [{ ...set, then: inner, steps: inner }]);
    dataOf(await scene.admin.post(`/flows/${flow.id}/run`, {}));
    await runsWith(scene, flow.id, 'done');
  }
});

test('a flow whose condition cannot be evaluated fails its runs, and other flows continue', async () => {
  const { id: channelId } = await scene.channel();
  const trigger = { on: 'event', type: 'message.created' };
  const broken = await makeFlow(scene, trigger, [set]);
  await store(broken, { ...trigger, where: null });
  const sound = await makeFlow(scene, messages(channelId), [set]);
  await send(channelId, 'ping');
  await runsWith(scene, sound.id, 'done');
  const [failed] = await runsWith(scene, broken.id, 'failed');
  assert.match(failed?.error, /^the condition of its trigger cannot be evaluated/);
  const notices = dataOf(await scene.admin.get('/notifications?type=flow'));
  assert.deepEqual(
    notices.map(({ messageId }: Json) => messageId),
    [broken.id],
  );
  await send(channelId, 'ping');
  await runsWith(scene, broken.id, 'failed', 2);
  await runsWith(scene, sound.id, 'done', 2);
  assert.deepEqual(errorsOf(broken), ['TypeError']);
});

test('a flow whose log cannot be read is set aside with one line in the log', async () => {
  const { id: channelId } = await scene.channel();
  const broken = await makeFlow(scene, messages(channelId), [set]);
  const sound = await makeFlow(scene, messages(channelId), [set]);
  await store(broken, null);
  for (const count of [1, 2]) {
    await send(channelId, 'ping');
    await runsWith(scene, sound.id, 'done', count);
  }
  await until(() => Promise.resolve(errorsOf(broken).length > 0));
  assert.deepEqual(errorsOf(broken), ['TypeError']);
  await store(broken, messages(channelId));
  await send(channelId, 'pong');
  await runsWith(scene, broken.id, 'done', 2);
});

test('a run whose awaited event cannot be evaluated fails, and the others continue', async () => {
  const { id: channelId } = await scene.channel();
  const where = { path: 'event.data.content', equals: '{{input.word}}' };
  const flow = await makeFlow(scene, { on: 'manual' }, [
    { name: 'word', do: 'wait', event: { type: 'message.created', where } },
  ]);
  const start = async (word: string): Promise<string> =>
    dataOf(await scene.admin.post(`/flows/${flow.id}/run`, { input: { word } })).id;
  const [first, second] = [await start('one'), await start('two')];
  await runsWith(scene, flow.id, 'waiting', 2);
  await world.data.db.write((tx) => tx.run(update('flowWait', first, { condition: { equals: 'one' } })));
  await send(channelId, 'two');
  await until(async () => (await runsOf(scene, flow.id)).every(({ endedAt }) => endedAt !== null));
  const failed = await runOf(scene, first);
  assert.equal(failed.error, 'word: the condition of its event cannot be evaluated');
  assert.deepEqual([failed.steps[0].status, failed.steps[0].input.event.where.equals], ['failed', 'one']);
  assert.equal((await runOf(scene, second)).status, 'done');
  const left = await world.data.db.read.all(
    q.selectFrom('flowWait').selectAll().where('flowId', '=', flow.id),
  );
  assert.deepEqual(left, []);
  assert.deepEqual(errorsOf(flow), ['TypeError']);
});

test('a failed step shows its input', async () => {
  const { id: channelId } = await scene.channel();
  const steps: [Json, RegExp][] = [
    [
      {
        do: 'ask',
        channelId: '{{input.channelId}}',
        content: 'Deploy?',
        buttons: [{ id: 'y', text: 'Yes' }],
      },
      /not found/,
    ],
    [{ do: 'wait', until: '{{input.channelId}}' }, /not a time/],
    [{ do: 'each', items: '{{input.channelId}}', steps: [] }, /not a list/],
  ];
  for (const [step, error] of steps) {
    const flow = await makeFlow(scene, { on: 'manual' }, [step]);
    const wrong = `${channelId.slice(0, -4)}0000`;
    dataOf(await scene.admin.post(`/flows/${flow.id}/run`, { input: { channelId: wrong } }));
    const [run] = await runsWith(scene, flow.id, 'failed');
    assert.match(run?.error, error);
    assert.ok(Object.values(run?.steps[0].input).includes(wrong), JSON.stringify(run?.steps[0]));
  }
});
