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

const run = async (flow: Json, input: Json = {}): Promise<Json> =>
  dataOf(await scene.admin.post(`/flows/${flow.id}/run`, { input }));

test('`each` repeats its steps for the items in a list, and the last item provides the output', async () => {
  const { id: channelId } = await scene.channel();
  const flow = await makeFlow(scene, { on: 'manual' }, [
    {
      do: 'each',
      items: '{{input.names}}',
      steps: [{ name: 'hello', do: 'message.send', channelId, content: '{{index}} {{item.name}}' }],
    },
    { do: 'message.send', channelId, content: 'last: {{steps.hello.output.content}}' },
  ]);
  const { id } = await run(flow, { names: [{ name: 'Ada' }, { name: 'Eve' }] });
  await until(async () => (await runOf(scene, id)).status === 'done');
  assert.deepEqual(await contentsOf(scene, channelId), ['0 Ada', '1 Eve', 'last: 1 Eve']);
  assert.deepEqual((await runOf(scene, id)).steps[0].output, { count: 2 });
  await run(flow, { names: [] });
  await until(
    async () => (await runsOf(scene, flow.id)).filter(({ status }) => status === 'done').length === 2,
  );
  const many = await run(flow, { names: Array.from({ length: 101 }, (_, at) => ({ name: `${at}` })) });
  await until(async () => (await runOf(scene, many.id)).status === 'failed');
  assert.match((await runOf(scene, many.id)).error, /more than 100 items/);
  const inner = { do: 'each', items: [1], steps: [] };
  const nested = { name: 'x', trigger: { on: 'manual' }, steps: [{ ...inner, steps: [inner] }] };
  assertRefused(await scene.admin.post('/flows', nested), 'INVALID_REQUEST');
});

test('a flow assigns and revokes roles, creates channels, and starts other flows', async () => {
  const { id: channelId } = await scene.channel();
  const role = await scene.role({});
  const user = await world.user();
  await world.member(scene.server, user);
  const other = await makeFlow(scene, { on: 'manual' }, [
    { do: 'message.send', channelId, content: 'called with {{input.word}}' },
  ]);
  const member = { userId: user.id, roleId: role.id };
  const title = world.unique('made');
  const flow = await makeFlow(scene, { on: 'manual' }, [
    { name: 'give', do: 'role.give', ...member },
    { name: 'again', do: 'role.give', ...member },
    { name: 'room', do: 'channel.create', title, private: true, roleIds: [role.id] },
    { name: 'take', do: 'role.take', ...member },
    { name: 'gone', do: 'role.take', ...member },
    { name: 'other', do: 'flow.call', flowId: other.id, input: { word: '{{steps.room.output.name}}' } },
  ]);
  const { id } = await run(flow);
  await until(async () => (await runOf(scene, id)).endedAt !== null);
  const { error, steps } = await runOf(scene, id);
  assert.equal(error, null);
  assert.equal(steps[0].output.roleId, role.id);
  assert.equal(steps[2].output.private, true);
  await runsWith(scene, other.id, 'done');
  assert.deepEqual(await contentsOf(scene, channelId), [`called with ${title}`]);
  const given = await scene.admin.post('/user-roles', member);
  dataOf(given, 'the role was taken');
});

test('a step fails immediately if a template produces an invalid id', async () => {
  const { id: channelId } = await scene.channel();
  const { id: userId } = await world.user();
  const { id: roleId } = await scene.role();
  const no = '{{input.no}}';
  const content = 'Hello';
  const buttons = [{ id: 'ok', text: 'OK' }];
  const steps: Json[] = [
    { do: 'message.send', channelId: no, content },
    { do: 'message.send', threadId: no, content },
    { do: 'message.send', userId: no, content },
    { do: 'message.send', channelId, replyToId: no, content },
    { do: 'message.update', messageId: no, content },
    { do: 'reaction.add', messageId: no, emoji: '👍' },
    { do: 'pin.add', messageId: no },
    { do: 'thread.create', messageId: no },
    { do: 'thread.create', channelId: no, title: 'Plans' },
    { do: 'role.give', userId: no, roleId },
    { do: 'role.give', userId, roleId: no },
    { do: 'channel.create', title: world.unique('made'), private: true, roleIds: [no] },
    { do: 'flow.call', flowId: no },
    { do: 'ask', channelId, roleId: no, content, buttons },
    { do: 'ask', channelId, userId: no, content, buttons },
  ];
  const runs = await Promise.all(
    steps.map(async (step) => run(await makeFlow(scene, { on: 'manual' }, [step]), { no: 'none' })),
  );
  for (const [at, { id }] of runs.entries()) {
    await until(async () => (await runOf(scene, id)).endedAt !== null);
    const { status, steps: executed } = await runOf(scene, id);
    assert.deepEqual([status, executed[0].attempts], ['failed', 1], JSON.stringify(steps[at]));
  }
  const taking = { do: 'role.take', userId: no, roleId };
  const { id } = await run(await makeFlow(scene, { on: 'manual' }, [taking]), { no: 'none' });
  await until(async () => (await runOf(scene, id)).endedAt !== null);
  assert.equal((await runOf(scene, id)).status, 'done', 'there is nothing to take');
});

test('new members and roles start a flow, unless it created them itself', async () => {
  const own = await Scene.open(world);
  const { id: channelId } = await own.channel();
  const steps = [{ do: 'message.send', channelId, content: '{{event.type}}' }];
  for (const type of ['serverMember.created', 'role.created'])
    await makeFlow(own, { on: 'event', type }, steps);
  const last = await makeFlow(own, messages(channelId), steps);
  await own.message({ channelId, content: 'ping' });
  await runsWith(own, last.id, 'done');
  // Each new flow adds a member and a role, which start the flows created before it.
  const expected = ['serverMember.created', 'serverMember.created', 'role.created', 'message.created'];
  await until(async () => (await contentsOf(own, channelId)).length === expected.length + 1);
  assert.deepEqual((await contentsOf(own, channelId)).toSorted(), ['ping', ...expected].toSorted());
});

test('a flow that calls itself stops at the depth limit of five', async () => {
  const flow = await makeFlow(scene, { on: 'manual' }, []);
  const steps = [{ do: 'flow.call', flowId: flow.id }];
  dataOf(await scene.admin.patch(`/flows/${flow.id}`, { steps }));
  await run(flow);
  const [failed] = await runsWith(scene, flow.id, 'failed');
  assert.match(failed?.error, /triggered each other/);
  assert.equal((await runsOf(scene, flow.id)).length, 7);
});

test('a dry run shows what each step would do for recent events, and writes nothing', async () => {
  const { id: channelId } = await scene.channel();
  const flow = await makeFlow(
    scene,
    messages(channelId),
    [
      { name: 'answer', do: 'message.send', channelId, content: 'pong {{event.data.content | upper}}' },
      { name: 'mark', do: 'reaction.add', messageId: '{{steps.answer.output.id}}', emoji: '📣' },
      { name: 'pause', do: 'wait', seconds: 1000 },
      { name: 'broken', do: 'pin.add', messageId: 'nothing' },
    ],
    { enabled: false },
  );
  for (const content of ['ping 1', 'other', 'ping 2'])
    dataOf(await scene.admin.post('/messages', { channelId, content }));
  const end = await scene.cursor();
  const { tries } = dataOf(await scene.admin.post(`/flows/${flow.id}/try`, {}));
  assert.deepEqual(
    tries.slice(0, 3).map(({ matches }: Json) => matches),
    [true, false, true],
  );
  const [latest] = tries;
  assert.deepEqual(
    latest.steps.map(({ name, status }: Json) => [name, status]),
    [
      ['answer', 'done'],
      ['mark', 'done'],
      ['pause', 'skipped'],
      ['broken', 'failed'],
    ],
  );
  assert.equal(latest.steps[0].input.content, 'pong PING 2');
  assert.equal(latest.steps[1].input.messageId, latest.steps[0].output.id);
  assert.match(latest.error, /message not found/);
  assert.equal(await scene.cursor(), end);
  assert.deepEqual(await contentsOf(scene, channelId), ['ping 1', 'other', 'ping 2']);
  assert.deepEqual(await runsOf(scene, flow.id), []);

  const { eventId } = tries[2];
  const one = dataOf(await scene.admin.post(`/flows/${flow.id}/try`, { eventId })).tries;
  assert.deepEqual(
    one.map((tried: Json) => [tried.eventId, tried.steps[0].input.content]),
    [[eventId, 'pong PING 1']],
  );
  assertRefused(await scene.admin.post(`/flows/${flow.id}/try`, { eventId: 'x' }), 'NOT_FOUND');
  const viewer = await world.client(scene.server, ['canViewData']);
  assertRefused(await viewer.post(`/flows/${flow.id}/try`, {}), 'FORBIDDEN');
});

test('a dry run shows no event that its caller cannot see', async () => {
  const hidden = await scene.channel({ private: true });
  const flow = await makeFlow(scene, messages(hidden.id), [
    { do: 'set', values: { a: '{{event.data.content}}' } },
  ]);
  dataOf(await scene.admin.patch(`/channels/${hidden.id}`, { roleIds: [flow.roleId] }));
  dataOf(await scene.admin.post('/messages', { channelId: hidden.id, content: 'ping secret' }));
  const editor = await world.client(scene.server, ['canEditApp', 'canEditData']);
  const tries = async (client: typeof editor) =>
    JSON.stringify(dataOf(await client.post(`/flows/${flow.id}/try`, {})).tries);
  assert.match(await tries(scene.admin), /ping secret/);
  assert.doesNotMatch(await tries(editor), /ping secret/);
});

test('a hook starts a run for each post, once per key, and its path is shown once', async () => {
  const { id: channelId } = await scene.channel();
  const steps = [{ do: 'message.send', channelId, content: 'build {{input.build.state}}' }];
  const { path, ...flow } = await makeFlow(scene, { on: 'hook' }, steps);
  assert.match(path, /^\/hooks\/flows\/hook_plv_/);
  assert.deepEqual(dataOf(await scene.admin.get(`/flows/${flow.id}`)), flow);
  const renamed = dataOf(await scene.admin.patch(`/flows/${flow.id}`, { name: 'Renamed', steps }));
  assert.equal(renamed.path, undefined);
  const post = async (body: string, headers: Record<string, string> = {}, to = path) => {
    const type = { 'content-type': 'application/json', ...headers };
    const answer = await fetch(`${world.url}${to}`, { method: 'POST', body, headers: type });
    return { status: answer.status, body: (await answer.json()) as Json };
  };
  const key = { 'idempotency-key': 'one' };
  const first = await post('{"build": {"state": "failed"}}', key);
  assert.equal(first.status, 200);
  assert.equal(first.body.data.trigger, 'hook');
  assert.equal((await post('{"build": {"state": "failed"}}', key)).body.data.id, first.body.data.id);
  await runsWith(scene, flow.id, 'done');
  assert.deepEqual(await contentsOf(scene, channelId), ['build failed']);
  assert.equal((await post(`{"long": "${'x'.repeat(70_000)}"}`)).status, 413);
  assert.equal((await post('{}', {}, '/hooks/flows/nothing')).body.error.code, 'INVALID_API_KEY');
  const moved = dataOf(await scene.admin.patch(`/flows/${flow.id}`, { trigger: { on: 'manual' } }));
  assert.equal(moved.path, undefined);
  assert.equal((await post('{}')).status, 401);
  const again = dataOf(await scene.admin.patch(`/flows/${flow.id}`, { trigger: { on: 'hook' } }));
  assert.notEqual(again.path, path);
  assert.equal((await post('{}', {}, again.path)).status, 200);
  dataOf(await scene.admin.patch(`/flows/${flow.id}`, { enabled: false }));
  assert.equal((await post('{}', {}, again.path)).status, 401);
});

test('a streamed message starts a flow once, with its whole text', async () => {
  const { id: channelId } = await scene.channel();
  const flow = await makeFlow(scene, messages(channelId), [
    { name: 'answer', do: 'message.send', channelId, content: 'got {{event.data.content}}' },
  ]);
  const bot = await world.client(scene.server, ['canEditData'], await world.user({ agent: true }));
  const streamed = { channelId, streaming: true, content: 'ping' };
  const { id } = dataOf(await bot.post('/messages', streamed));
  dataOf(await bot.post(`/messages/${id}/append`, { offset: 4, text: ' at last', done: true }));
  const [run] = await runsWith(scene, flow.id, 'done');
  assert.equal(run?.steps[0].input.content, 'got ping at last');
  dataOf(await bot.post('/messages', { ...streamed, content: 'ping unfinished' }));
  const { tries } = dataOf(await scene.admin.post(`/flows/${flow.id}/try`, {}));
  const tried: Json[] = tries.filter(({ matches }: Json) => matches);
  assert.deepEqual(
    tried.map(({ steps }) => steps[0].input.content),
    ['got ping at last'],
  );
  dataOf(await bot.patch(`/messages/${id}`, { content: 'ping again' }));
  dataOf(await bot.post('/messages', { channelId, content: 'ping next' }));
  await until(async () => (await runsOf(scene, flow.id)).length > 1);
  await runsWith(scene, flow.id, 'done');
  assert.deepEqual((await runsOf(scene, flow.id)).length, 2);
});
