import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser, giveAccount } from '../support/account.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { makeFlow, runOf, runsWith } from '../support/flows.ts';
import { until } from '../support/process.ts';
import { Scene } from '../support/scene.ts';
import { type Client, type Json, World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open({ limits: { '*': 0 }, timers: true });
  scene = await Scene.open(world);
});
after(() => world.close());

const buttons = [
  { id: 'yes', text: 'Approve', style: 'primary' },
  { id: 'no', text: 'Reject', style: 'danger' },
];

/** A run that asks, and the message with its question. */
async function asked(fields: Json): Promise<{ flow: Json; run: Json; message: Json; channelId: string }> {
  const { id: channelId } = await scene.channel();
  const place = 'userId' in fields && !('roleId' in fields) ? {} : { channelId };
  const flow = await makeFlow(scene, { on: 'manual' }, [
    { name: 'ask', do: 'ask', ...place, content: 'Deploy?', ...fields },
    { name: 'said', do: 'set', values: { answer: '{{steps.ask.output.answer}}' } },
  ]);
  dataOf(await scene.admin.post(`/flows/${flow.id}/run`, {}));
  const [run] = await runsWith(scene, flow.id, 'waiting');
  const [message] =
    'channelId' in place ? dataOf(await scene.admin.get(`/channels/${channelId}/messages`)) : [];
  return { flow, run: run as Json, message, channelId };
}

const press = (by: Client, message: Json, actionId: string, value?: object) =>
  by.post('/interactions', { messageId: message.id, blockId: 'ask', actionId, ...(value && { value }) });
const outputOf = async (run: Json): Promise<Json> => {
  await until(async () => (await runOf(scene, run.id)).status === 'done');
  return (await runOf(scene, run.id)).steps[0].output;
};
const now = async ({ id }: Json): Promise<Json> => dataOf(await scene.admin.get(`/messages/${id}`));

test('a question in a channel accepts the first answer, and then shows it', async () => {
  const { run, message } = await asked({ buttons });
  const person = await world.client(scene.server, ['canEditData']);
  assert.equal(dataOf(await press(person, message, 'yes')).state, 'done');
  const output = await outputOf(run);
  const { userId } = person.secret as Json;
  assert.deepEqual(
    [output.answer, output.values, output.timedOut, output.messageId],
    ['yes', null, false, message.id],
  );
  assert.deepEqual(
    output.answers.map((one: Json) => [one.userId, one.answer]),
    [[userId, 'yes']],
  );
  const [block, ...more] = (await now(message)).blocks;
  assert.equal(more.length, 0);
  assert.equal(block.type, 'context');
  assert.match(block.text, /^@.+: Approve$/);
  assertRefused(await press(person, message, 'no'), 'INVALID_REQUEST');
});

test('an approval by two members with a role needs two different people, and nobody else', async () => {
  const role = await scene.role({ canEditData: true });
  const [one, two] = await Promise.all([0, 0].map(() => world.clientWithRole(scene.server, role)));
  for (const client of [one, two])
    await scene.make('/user-roles', { userId: (client as Client).secret?.userId, roleId: role.id });
  const outsider = await world.client(scene.server, ['canEditData']);
  const { run, message } = await asked({ buttons, roleId: role.id, deciders: 2 });
  const refused = await press(outsider, message, 'yes');
  assertRefused(refused, 'FORBIDDEN');
  dataOf(await press(one as Client, message, 'yes'));
  assertRefused(await press(one as Client, message, 'no'), 'ALREADY_EXISTS');
  assert.equal((await runOf(scene, run.id)).status, 'waiting');
  dataOf(await press(two as Client, message, 'yes'));
  const output = await outputOf(run);
  assert.deepEqual([output.answer, output.answers.length, output.timedOut], ['yes', 2, false]);
  const [block] = (await now(message)).blocks;
  assert.equal(block.decisions.length, 2);
  assert.ok(block.decidedAt);
});

test('a form is sent to one person in a direct message', async () => {
  const person = await giveAccount(world, await world.user());
  await world.member(scene.server, person);
  const browser = await Browser.of(world, person, scene.server, 'Lighthouse');
  const form = {
    text: 'Report…',
    fields: [{ type: 'text', id: 'reason', label: 'Reason', required: true }],
  };
  const { run } = await asked({ userId: person.id, form });
  const [conversation] = dataOf(await browser.api.get('/conversations'));
  const [message] = dataOf(await browser.api.get(`/channels/${conversation.id}/messages`));
  const answer = { messageId: message.id, blockId: 'ask', actionId: 'form' };
  assertRefused(await browser.api.post('/interactions', { ...answer, value: {} }), 'INVALID_REQUEST');
  const answered = await browser.api.post('/interactions', { ...answer, value: { reason: 'Noise' } });
  assert.equal(dataOf(answered).state, 'done');
  const output = await outputOf(run);
  assert.deepEqual([output.answer, output.values], ['form', { reason: 'Noise' }]);
});

test('a question closes when it times out', async () => {
  const { run, message } = await asked({ buttons, seconds: 1, timeoutText: 'Too late' });
  const output = await outputOf(run);
  assert.deepEqual([output.answer, output.answers, output.timedOut], [null, [], true]);
  assert.deepEqual(
    (await now(message)).blocks.map(({ type, text }: Json) => [type, text]),
    [['context', 'Too late']],
  );
});

test('an invalid question is rejected', async () => {
  const ask = { do: 'ask', content: 'Deploy?' };
  for (const [fields, message] of [
    [{ channelId: 'x' }, /buttons: is required without form/],
    [{ buttons }, /channelId: is required/],
    [{ userId: 'x', roleId: 'y', buttons }, /roleId/],
    [{ userId: 'x', deciders: 2, buttons }, /deciders/],
    [{ channelId: 'x', buttons: [{ text: 'a' }] }, /buttons: must be a list of buttons/],
    [{ channelId: 'x', form: { text: 'a' } }, /form: must be an object/],
    [{ channelId: 'x', buttons, seconds: 99_999_999 }, /seconds/],
  ] as [Json, RegExp][]) {
    const steps = [{ ...ask, ...fields }];
    const answer = await scene.admin.post('/flows', { name: 'Wrong', trigger: { on: 'manual' }, steps });
    assertRefused(answer, 'INVALID_REQUEST');
    assert.match(answer.body.error.message, message);
  }
});
