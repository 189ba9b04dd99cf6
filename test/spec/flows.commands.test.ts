import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertRefused, dataOf } from '../support/expect.ts';
import { contentsOf, makeFlow, runsOf, runsWith } from '../support/flows.ts';
import { Scene } from '../support/scene.ts';
import { type Client, type Json, World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open({ limits: { '*': 0 }, timers: true });
  scene = await Scene.open(world);
});
after(() => world.close());

const commandsOf = async (): Promise<Json[]> =>
  dataOf(await scene.admin.get(`/servers/${scene.server.id}/commands`));
const commandOf = async (name: string): Promise<Json | undefined> =>
  (await commandsOf()).find((command) => command.name === name);
const use = (by: Client, body: object, key?: string) =>
  by.post('/interactions', body, key === undefined ? {} : { 'idempotency-key': key });

const options = [{ name: 'topic', type: 'text', required: true }];

test('people start a flow with its command, once per use, and get an answer', async () => {
  const { id: channelId } = await scene.channel();
  const flow = await makeFlow(
    scene,
    { on: 'command', command: 'Standup', description: 'Asks the team', options },
    [
      {
        do: 'message.send',
        channelId: '{{event.data.channelId}}',
        content: '{{input.topic}} {{event.data.options.topic}} {{event.data.userId}} {{event.type}}',
      },
    ],
  );
  const command = await commandOf('standup');
  assert.deepEqual(
    [command?.agentId, command?.description, command?.options.length],
    [flow.userId, 'Asks the team', 1],
  );
  const { id: commandId } = command as Json;
  const person = await world.client(scene.server, ['canEditData']);
  assertRefused(await use(person, { commandId, channelId }), 'INVALID_REQUEST');
  const body = { commandId, channelId, options: { topic: 'Harbour' } };
  const [one, again] = [await use(person, body, 'first'), await use(person, body, 'first')];
  assert.equal(dataOf(one).state, 'done');
  assert.equal(dataOf(again).id, dataOf(one).id);
  const [run] = await runsWith(scene, flow.id, 'done');
  assert.deepEqual([run?.trigger, run?.channelId, run?.input.topic], ['command', channelId, 'Harbour']);
  await use(person, body);
  await runsWith(scene, flow.id, 'done', 2);
  const { userId } = person.secret as Json;
  const said = `Harbour Harbour ${userId} interaction.created`;
  assert.deepEqual(await contentsOf(scene, channelId), [said, said]);
  assert.equal((await runsOf(scene, flow.id)).length, 2);
});

test('the command follows its flow: changed, turned off, on again and deleted', async () => {
  const { id: channelId } = await scene.channel();
  const steps = [{ do: 'set', values: { a: 1 } }];
  const flow = await makeFlow(scene, { on: 'command', command: 'deploy' }, steps);
  const { id: commandId } = (await commandOf('deploy')) as Json;
  assertRefused(await scene.admin.patch(`/commands/${commandId}`, { name: 'other' }), 'INVALID_REQUEST');
  assertRefused(await scene.admin.delete(`/commands/${commandId}`), 'INVALID_REQUEST');
  const path = `/flows/${flow.id}`;
  dataOf(await scene.admin.patch(path, { trigger: { on: 'command', command: 'release', options } }));
  assert.equal(await commandOf('deploy'), undefined);
  assert.equal((await commandOf('release'))?.id, commandId);
  dataOf(await scene.admin.patch(path, { enabled: false }));
  assert.equal(await commandOf('release'), undefined);
  assertRefused(await use(scene.admin, { commandId, channelId }), 'NOT_FOUND');
  await scene.make('/commands', { name: 'release', agentId: flow.userId });
  const taken = await scene.admin.patch(path, { enabled: true });
  assertRefused(taken, 'INVALID_REQUEST');
  assert.match(taken.body.error.message, /trigger.command: \/release is another command/);
  dataOf(await scene.admin.patch(path, { enabled: true, trigger: { on: 'command', command: 'ship' } }));
  assert.ok(await commandOf('ship'));
  dataOf(await scene.admin.patch(path, { trigger: { on: 'manual' } }));
  assert.equal(await commandOf('ship'), undefined);
  dataOf(await scene.admin.patch(path, { trigger: { on: 'command', command: 'ship' } }));
  dataOf(await scene.admin.delete(path));
  assert.equal(await commandOf('ship'), undefined);
  for (const [trigger, message] of [
    [{ on: 'command' }, /trigger.command: is required/],
    [{ on: 'command', command: 'two words' }, /trigger.command: must contain only letters/],
    [{ on: 'command', command: 'x', options: [{ name: 'a' }] }, /trigger.options.0/],
    [{ on: 'command', command: 'x', options: [{ name: 'a', type: 'choice' }] }, /choice/],
    [{ on: 'command', command: 'release' }, /another command/],
  ] as [Json, RegExp][]) {
    const answer = await scene.admin.post('/flows', { name: 'Wrong', trigger, steps });
    assertRefused(answer, 'INVALID_REQUEST');
    assert.match(answer.body.error.message, message);
  }
});

test("a click on a flow's button starts the flows that it triggers", async () => {
  const { id: channelId } = await scene.channel();
  const blocks = [
    {
      type: 'actions',
      id: 'a',
      elements: [
        { type: 'button', id: 'claim', text: 'Claim {{input.what}}', value: '7' },
        { type: 'button', id: 'other', text: 'Nothing' },
      ],
    },
  ];
  const poster = await makeFlow(scene, { on: 'manual' }, [
    { name: 'post', do: 'message.send', channelId, content: 'A task', blocks },
  ]);
  const listener = await makeFlow(scene, { on: 'button', actionId: 'claim', flowId: poster.id }, [
    { do: 'message.send', channelId, content: 'claimed by {{event.data.userId}} {{input.value}}' },
  ]);
  await makeFlow(scene, { on: 'button', actionId: 'claim' }, [{ do: 'set', values: { never: true } }]);
  dataOf(await scene.admin.post(`/flows/${poster.id}/run`, { input: { what: 'it' } }));
  const [run] = await runsWith(scene, poster.id, 'done');
  const messageId = run?.steps[0].output.id;
  assert.equal(run?.steps[0].output.blocks[0].elements[0].text, 'Claim it');
  const person = await world.client(scene.server, ['canEditData']);
  const press = async (actionId: string) => dataOf(await use(person, { messageId, blockId: 'a', actionId }));
  const [first, second] = [await press('claim'), await press('claim')];
  assert.deepEqual([first.state, second.id], ['done', first.id]);
  assert.equal((await press('other')).state, 'failed');
  await runsWith(scene, listener.id, 'done');
  const { userId } = person.secret as Json;
  assert.deepEqual(await contentsOf(scene, channelId), ['A task', `claimed by ${userId} 7`]);
  assert.equal((await runsOf(scene, listener.id)).length, 1);
});

test('a command is rejected once the server has used up its runs for the minute', async () => {
  const bounded = await World.open({
    limits: { '*': 0 },
    timers: true,
    flowBounds: { runsPerMinute: 1, writesPerMinute: 0, waiting: 0 },
  });
  try {
    const there = await Scene.open(bounded);
    const { id: channelId } = await there.channel();
    await makeFlow(there, { on: 'command', command: 'once' }, []);
    const [{ id: commandId }] = dataOf(await there.admin.get(`/servers/${there.server.id}/commands`));
    const person = await bounded.client(there.server, ['canEditData']);
    dataOf(await use(person, { commandId, channelId }));
    const refused = await use(person, { commandId, channelId });
    assertRefused(refused, 'RATE_LIMITED');
    assert.match(refused.body.error.message, /limit of flow runs per minute/);
  } finally {
    await bounded.close();
  }
});
