import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertRefused, dataOf } from '../support/expect.ts';
import { contentsOf, makeFlow, messages, runOf, runsOf, runsWith } from '../support/flows.ts';
import { until } from '../support/process.ts';
import { Scene } from '../support/scene.ts';
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
test('a flow answers a message, with branches, reactions, pins and threads', async () => {
  const { id: channelId } = await scene.channel();
  const flow = await makeFlow(scene, messages(channelId), [
    {
      name: 'answer',
      do: 'message.send',
      channelId: '{{event.data.channelId}}',
      content: 'pong {{event.data.content}}',
    },
    {
      name: 'which',
      do: 'if',
      where: { path: 'event.data.content', contains: 'loud' },
      // biome-ignore lint/suspicious/noThenProperty: the name of a field; the object is never awaited
      then: [{ name: 'mark', do: 'reaction.add', messageId: '{{steps.answer.output.id}}', emoji: '📣' }],
      else: [{ do: 'set', values: { quiet: true } }],
    },
    { name: 'again', do: 'reaction.add', messageId: '{{steps.answer.output.id}}', emoji: '📣' },
    { name: 'pin', do: 'pin.add', messageId: '{{steps.answer.output.id}}' },
    {
      name: 'talk',
      do: 'thread.create',
      messageId: '{{event.data.id}}',
      title: 'About {{event.data.content | upper}}',
    },
    { name: 'edit', do: 'message.update', messageId: '{{steps.answer.output.id}}', content: 'edited' },
  ]);
  await send(channelId, 'nothing');
  const ping = await send(channelId, 'ping loud');
  const [run] = await runsWith(scene, flow.id, 'done');
  assert.deepEqual(
    run?.steps.map(({ name, type, status, attempts }: Json) => [name, type, status, attempts]),
    [
      ['answer', 'message.send', 'done', 1],
      ['which', 'if', 'done', 1],
      ['mark', 'reaction.add', 'done', 1],
      ['again', 'reaction.add', 'done', 1],
      ['pin', 'pin.add', 'done', 1],
      ['talk', 'thread.create', 'done', 1],
      ['edit', 'message.update', 'done', 1],
    ],
  );
  assert.equal(run?.steps[0].input.content, 'pong ping loud');
  assert.equal(run?.steps[5].output.name, 'About PING LOUD');
  assert.equal(run?.channelId, channelId);
  assert.deepEqual(await contentsOf(scene, channelId), ['nothing', 'ping loud', 'edited']);
  const [, , answer] = dataOf(await scene.admin.get(`/channels/${channelId}/messages?order=asc`));
  assert.deepEqual(answer.reactions, [{ emoji: '📣', count: 1 }]);
  assert.equal(answer.pinned, true);
  assert.equal(answer.creatorId, flow.userId);
  assert.equal(dataOf(await scene.admin.get(`/messages/${ping.id}/threads`)).length, 1);
  assert.equal((await runsOf(scene, flow.id)).length, 1);
});

test('a flow is run manually with an input, waits, and can be cancelled', async () => {
  const { id: channelId } = await scene.channel();
  const flow = await makeFlow(scene, { on: 'manual' }, [
    { name: 'first', do: 'message.send', channelId, content: 'Hello {{input.to | default: "all"}}' },
    { name: 'pause', do: 'wait', seconds: '{{input.seconds}}' },
    { name: 'second', do: 'message.send', channelId, content: 'Bye {{input.to}}' },
  ]);
  const started = dataOf(
    await scene.admin.post(`/flows/${flow.id}/run`, { input: { to: 'Ada', seconds: 1 } }),
  );
  assert.equal(started.status, 'running');
  await runsWith(scene, flow.id, 'done');
  assert.deepEqual(await contentsOf(scene, channelId), ['Hello Ada', 'Bye Ada']);
  const long = dataOf(await scene.admin.post(`/flows/${flow.id}/run`, { input: { seconds: 1000 } }));
  const [waiting] = await runsWith(scene, flow.id, 'waiting');
  assert.equal(waiting?.id, long.id);
  assert.ok(waiting?.wakeAt > Date.now());
  const cancelled = dataOf(await scene.admin.post(`/flow-runs/${long.id}/cancel`, {}));
  assert.equal(cancelled.status, 'cancelled');
  assert.deepEqual(dataOf(await scene.admin.post(`/flow-runs/${long.id}/cancel`, {})), cancelled);
  assertRefused(await scene.admin.post(`/flow-runs/${long.id}/retry`, {}), 'INVALID_REQUEST');
});

test('a failed run is retried from the failed step, without repeating the earlier ones', async () => {
  const { id: channelId } = await scene.channel();
  const flow = await makeFlow(scene, messages(channelId), [
    { name: 'first', do: 'message.send', channelId, content: 'first' },
    { name: 'broken', do: 'pin.add', messageId: '{{event.data.content | truncate: 3}}' },
  ]);
  await send(channelId, 'ping');
  const [failed] = await runsWith(scene, flow.id, 'failed');
  assert.match(failed?.error, /^broken: message not found/);
  assert.equal(failed?.steps[1].status, 'failed');
  assert.equal(failed?.steps[1].input.messageId, 'pi…');
  const again = dataOf(await scene.admin.post(`/flow-runs/${failed?.id}/retry`, {}));
  assert.equal(again.id, failed?.id);
  assert.equal(again.status, 'running');
  await until(async () => (await runOf(scene, again.id)).status === 'failed');
  assert.deepEqual(await contentsOf(scene, channelId), ['ping', 'first']);
});

test('two flows that trigger each other stop with an error in the run', async () => {
  const { id: channelId } = await scene.channel();
  const on = (word: string) => ({
    on: 'event',
    type: 'message.created',
    where: {
      all: [
        { path: 'event.data.channelId', equals: channelId },
        { path: 'event.data.content', equals: word },
      ],
    },
  });
  const tick = await makeFlow(scene, on('tick'), [{ do: 'message.send', channelId, content: 'tock' }]);
  const tock = await makeFlow(scene, on('tock'), [{ do: 'message.send', channelId, content: 'tick' }]);
  await send(channelId, 'tick');
  const failed = async () =>
    [...(await runsOf(scene, tick.id)), ...(await runsOf(scene, tock.id))].filter(
      ({ status }) => status === 'failed',
    );
  await until(async () => (await failed()).length > 0);
  const [last] = await failed();
  const run = await runOf(scene, last?.id);
  assert.match(run.error, /triggered each other/);
  assert.equal((await contentsOf(scene, channelId)).length, 7);
});

test('a flow is turned off when its maker leaves, with the reason', async () => {
  const { id: channelId } = await scene.channel();
  const maker = await world.user();
  const client = await world.client(scene.server, ['canEditApp', 'canEditData', 'canViewData'], maker);
  const flow = dataOf(
    await client.post('/flows', {
      name: 'Mine',
      trigger: messages(channelId),
      steps: [{ do: 'message.send', channelId, content: 'from a member' }],
    }),
  );
  await send(channelId, 'ping');
  await runsWith(scene, flow.id, 'done');
  const { id } = dataOf(await scene.admin.get(`/servers/${scene.server.id}/members?limit=100`)).find(
    ({ userId }: Json) => userId === maker.id,
  );
  dataOf(await scene.admin.delete(`/server-members/${id}`));
  const off = dataOf(await scene.admin.get(`/flows/${flow.id}`));
  assert.equal(off.enabled, false);
  assert.match(off.disabledReason, /left/);
  assertRefused(await scene.admin.post(`/flows/${flow.id}/run`, {}), 'INVALID_REQUEST');
});

test('nobody can give a flow permissions that they lack', async () => {
  const { id: channelId } = await scene.channel();
  const client = await world.client(scene.server, ['canEditApp', 'canViewData']);
  const steps = [{ do: 'message.send', channelId, content: 'x' }];
  assertRefused(await client.post('/flows', { name: 'More', trigger: { on: 'manual' }, steps }), 'FORBIDDEN');
  const flow = await makeFlow(scene, { on: 'manual' }, steps);
  assertRefused(await client.patch(`/flows/${flow.id}`, { steps: [] }), 'FORBIDDEN');
  assert.equal(dataOf(await client.patch(`/flows/${flow.id}`, { name: 'Renamed' })).name, 'Renamed');
});

test('runs show inputs and outputs to members who can edit flows and see the channel', async () => {
  const hidden = await scene.channel({ private: true });
  const flow = await makeFlow(scene, { on: 'event', type: 'message.created' }, [
    { do: 'set', values: { a: 'b' } },
  ]);
  const { roleId } = flow;
  dataOf(await scene.admin.patch(`/channels/${hidden.id}`, { roleIds: [roleId] }));
  await send(hidden.id, 'secret');
  const [run] = await runsWith(scene, flow.id, 'done');
  assert.deepEqual(run?.steps[0].output, { a: 'b' });
  const editor = await world.client(scene.server, ['canEditApp', 'canViewData']);
  const seen = dataOf(await editor.get(`/flow-runs/${run?.id}`));
  assert.deepEqual([seen.steps[0].status, seen.steps[0].output, seen.steps[0].input], ['done', null, null]);
  const outsider = await world.client(scene.server, ['canEditData']);
  assertRefused(await outsider.get(`/flow-runs/${run?.id}`), 'FORBIDDEN');
  dataOf(await scene.admin.delete(`/flows/${flow.id}`));
  assertRefused(await scene.admin.get(`/flow-runs/${run?.id}`), 'NOT_FOUND');
  assertRefused(await scene.admin.get(`/roles/${roleId}`), 'NOT_FOUND');
});

test('an unknown trigger, step or field is rejected by name', async () => {
  const step = { do: 'message.send', channelId: 'x', content: 'y' };
  const wrong: [Json, Json[], RegExp][] = [
    [{ on: 'moon' }, [], /trigger.on: "moon" is not a trigger/],
    [{ on: 'event', type: 'moon.risen' }, [], /trigger.type/],
    [{ on: 'event', type: 'flowRun.created' }, [], /trigger.type/],
    [{ on: 'event', type: 'message.created', where: { path: 'event.id', like: 1 } }, [], /where.like/],
    [{ on: 'event', type: 'message.created', where: { path: 'event.id', matches: '(?=a)' } }, [], /RE2/],
    [{ on: 'schedule', cron: '* * * * * *', timeZone: 'UTC' }, [], /trigger.cron/],
    [{ on: 'schedule', cron: '0 0 30 2 *', timeZone: 'UTC' }, [], /never occurs/],
    [{ on: 'schedule', cron: '0 9 * * 1', timeZone: 'Moon/Base' }, [], /trigger.timeZone/],
    [{ on: 'manual' }, [{ do: 'fly' }], /steps\[0\].do: "fly" is not a step/],
    [{ on: 'manual' }, [{ do: 'message.send', channelId: 'x' }], /steps\[0\].content: is required/],
    [{ on: 'manual' }, [{ ...step, content: '{{steps.x.output}}' }], /not the name of a step/],
    [{ on: 'manual' }, [{ ...step, content: '{{secret.X}}' }], /secret/],
    [{ on: 'manual' }, [{ ...step, content: '{{event.a | spin}}' }], /the filter "spin"/],
    [
      { on: 'manual' },
      [
        { ...step, name: 'a' },
        { ...step, name: 'a' },
      ],
      /another step/,
    ],
    [{ on: 'manual' }, Array.from({ length: 21 }, () => step), /at most 20/],
  ];
  for (const [trigger, steps, message] of wrong) {
    const answer = await scene.admin.post('/flows', { name: 'Wrong', trigger, steps });
    assertRefused(answer, 'INVALID_REQUEST');
    assert.match(answer.body.error.message, message);
  }
});

test('a manual run reads the given event, if the caller can see it', async () => {
  const { id: channelId } = await scene.channel();
  const flow = await makeFlow(scene, messages(channelId, 'never'), [
    { name: 'answer', do: 'set', values: { content: '{{event.data.content}}', to: '{{input.to}}' } },
  ]);
  await send(channelId, 'hello');
  const events: Json[] = dataOf(await scene.admin.get('/events?before=latest&types=message.created'));
  const { id: eventId } = events[0] as Json;
  const run = dataOf(await scene.admin.post(`/flows/${flow.id}/run`, { eventId, input: { to: 'ada' } }));
  const [done] = await runsWith(scene, flow.id, 'done');
  assert.equal(done?.id, run.id);
  assert.deepEqual([done?.eventId, done?.channelId], [eventId, channelId]);
  assert.deepEqual(done?.steps[0].output, { content: 'hello', to: 'ada' });
  assertRefused(await scene.admin.post(`/flows/${flow.id}/run`, { eventId: 'nothing' }), 'NOT_FOUND');
  const hidden = await scene.channel({ private: true });
  await send(hidden.id, 'secret');
  const [secret]: Json[] = dataOf(await scene.admin.get('/events?before=latest&types=message.created'));
  const other = await world.client(scene.server, ['canEditApp', 'canEditData', 'canViewData']);
  assertRefused(await other.post(`/flows/${flow.id}/run`, { eventId: secret?.id }), 'NOT_FOUND');
});

test("a key with canEditApp can manage flows, even an agent's", async () => {
  const { id: channelId } = await scene.channel();
  const agent = await world.user({ agent: true });
  const key = await world.client(scene.server, ['canEditApp', 'canEditData', 'canViewData'], agent);
  const steps = [{ do: 'message.send', channelId, content: 'pong' }];
  const made = dataOf(await key.post('/flows', { name: 'Keyed', trigger: messages(channelId), steps }));
  assert.deepEqual([made.creatorId, made.makerId], [agent.id, agent.id]);
  await send(channelId, 'ping');
  await runsWith(scene, made.id, 'done');
  const path = `/flows/${made.id}`;
  assert.equal(dataOf(await key.post(`${path}/try`, {})).tries.length > 0, true);
  assert.equal(dataOf(await key.post(`${path}/run`, {})).status, 'running');
  await runsWith(scene, made.id, 'done', 2);
  assert.equal(dataOf(await key.get(`${path}/runs`)).length, 2);
  assert.equal(dataOf(await key.patch(path, { enabled: false })).enabled, false);
  assert.deepEqual(dataOf(await key.patch(path, { enabled: true, steps: [] })).steps, []);
  const other = await world.client(scene.server, ['canEditData', 'canViewData'], agent);
  for (const refused of [
    await other.post('/flows', { name: 'Keyed', trigger: messages(channelId), steps }),
    await other.patch(path, { enabled: false }),
    await other.post(`${path}/run`, {}),
    await other.delete(path),
  ])
    assertRefused(refused, 'FORBIDDEN');
  dataOf(await key.delete(path));
  assertRefused(await key.get(path), 'NOT_FOUND');
});
