// @run sqlite: tests a guide, which does not depend on the engine
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { dataOf } from '../support/expect.ts';
import { contentsOf, runsOf, runsWith } from '../support/flows.ts';
import { blocksOf } from '../support/guides.ts';
import { Receiver } from '../support/receiver.ts';
import { Scene } from '../support/scene.ts';
import { type Json, TestClock, World } from '../support/world.ts';

const DAY_MS = 24 * 60 * 60_000;

const clock = new TestClock();
let world: World;
let scene: Scene;
let receiver: Receiver;
/** Ids by the placeholders in the guide. */
const ids: Record<string, string> = {};
const ran = new Set<string>();
before(async () => {
  clock.at = Date.parse('2027-02-01T12:00:00Z');
  world = await World.open({ clock, limits: { '*': 0 }, timers: true, privateWebhooks: true });
  scene = await Scene.open(world);
  receiver = await Receiver.open();
  for (const name of ['ada', 'ben']) {
    const user = await world.user({ username: name });
    await world.member(scene.server, user);
    ids[`the id of ${name[0]?.toUpperCase()}${name.slice(1)}`] = user.id;
  }
  ids['the id of the role Deciders'] = (await scene.role({ name: 'Deciders', canEditData: true })).id;
  ids['the id of the role On call'] = (await scene.role({ name: 'On call' })).id;
});
after(async () => {
  await receiver.close();
  await world.close();
});

const channelNamed = async (name: string): Promise<string> => {
  const words = `the id of #${name}`;
  ids[words] ??= (await scene.channel({ name })).id;
  return ids[words] as string;
};

async function recipe(name: string): Promise<Json> {
  ran.add(name);
  const found = blocksOf('flow-recipes.md').find(({ code }) => code.includes(`"name": "${name}",\n`));
  assert.ok(found, name);
  for (const [, channel = ''] of found.code.matchAll(/"the id of #([\w-]+)"/g)) await channelNamed(channel);
  const code = found.code
    .replaceAll('https://api.example.com', receiver.url)
    .replaceAll(/"(the id of [^"]+)"/g, (_, words) => JSON.stringify(ids[words]));
  return dataOf(await scene.admin.post('/flows', JSON.parse(code)));
}

/** Advances the clock and runs due timers. */
async function advance(ms: number): Promise<void> {
  clock.advance(ms);
  await world.node.clock?.look();
}

/** Moves the clock to a second before a time, when nothing may run, and then to the time, when a run starts. */
async function at(time: string, flow: Json, status = 'done'): Promise<void> {
  await advance(Date.parse(time) - clock.at - 1_000);
  assert.deepEqual(await runsOf(scene, flow.id), []);
  await advance(1_000);
  await runsWith(scene, flow.id, status);
}

const off = async ({ id }: Json): Promise<void> =>
  void dataOf(await scene.admin.patch(`/flows/${id}`, { enabled: false }));

const threadsIn = async (channelId: string): Promise<Json[]> =>
  dataOf(await scene.admin.get(`/channels/${channelId}/threads`));

const repliesIn = async (threadId: string): Promise<Json[]> =>
  dataOf(await scene.admin.get(`/threads/${threadId}`)).messages;

test('new members are welcomed, and reminded after two days', async () => {
  const flow = await recipe('Welcome');
  const channelId = await channelNamed('welcome');
  const user = await world.user({ username: 'cleo' });
  await world.member(scene.server, user);
  await runsWith(scene, flow.id, 'waiting');
  assert.deepEqual(await contentsOf(scene, channelId), ['Welcome, @cleo! Tell us who you are.']);
  await advance(2 * DAY_MS - 1_000);
  assert.equal((await contentsOf(scene, channelId)).length, 1);
  await advance(2_000);
  await runsWith(scene, flow.id, 'done');
  assert.equal((await contentsOf(scene, channelId))[1], '@cleo, have you found what you need?');
  await off(flow);
});

test('the stand-up is at nine in Berlin, with a thread', async () => {
  const flow = await recipe('Stand-up');
  const channelId = await channelNamed('team');
  await at('2027-02-04T08:00:00Z', flow);
  assert.match((await contentsOf(scene, channelId))[0] as string, /^Good morning!/);
  const [thread] = await threadsIn(channelId);
  assert.match(thread?.name, /^Stand-up, .*2027/);
  await off(flow);
});

test('alerts are forwarded and marked, and other messages are not', async () => {
  const flow = await recipe('Alerts');
  const [from, to] = [await channelNamed('alerts'), await channelNamed('on-call')];
  await scene.message({ channelId: from, content: 'All is well' });
  const { id } = await scene.message({ channelId: from, content: 'CRITICAL: db-1 is down' });
  await runsWith(scene, flow.id, 'done');
  assert.deepEqual(await contentsOf(scene, to), ['🚨 CRITICAL: db-1 is down']);
  const { reactions } = dataOf(await scene.admin.get(`/messages/${id}`));
  assert.deepEqual(
    reactions.map(({ emoji }: Json) => emoji),
    ['🚨'],
  );
  await off(flow);
});

test('a reaction opens a thread about the message', async () => {
  const flow = await recipe('Triage');
  const { id: channelId } = await scene.channel();
  const { id: messageId } = await scene.message({ channelId, content: 'The printer is on fire' });
  await scene.make('/reactions', { messageId, emoji: '🎫' });
  await runsWith(scene, flow.id, 'done');
  const [thread] = await threadsIn(channelId);
  const replies = await repliesIn(thread?.id);
  assert.match(replies.at(-1)?.content, /Who takes this/);
  await off(flow);
});

test('a version is approved by two members with a role', async () => {
  const flow = await recipe('Deploy');
  const channelId = await channelNamed('releases');
  const roleId = ids['the id of the role Deciders'];
  const deciders = await Promise.all(
    [0, 1].map(() => world.clientWithRole(scene.server, { id: roleId as string })),
  );
  for (const { secret } of deciders) await scene.make('/user-roles', { userId: secret?.userId, roleId });
  const commands: Json[] = dataOf(await scene.admin.get(`/servers/${scene.server.id}/commands`));
  const { id: commandId } = commands.find(({ name }) => name === 'deploy') as Json;
  const use = { commandId, channelId, options: { version: '1.5.0' } };
  dataOf(await scene.admin.post('/interactions', use));
  await runsWith(scene, flow.id, 'waiting');
  const [question]: Json[] = dataOf(await scene.admin.get(`/channels/${channelId}/messages`));
  for (const decider of deciders) {
    const answer = { messageId: question?.id, blockId: 'ask', actionId: 'yes' };
    dataOf(await decider.post('/interactions', answer));
  }
  await runsWith(scene, flow.id, 'done');
  assert.deepEqual(await contentsOf(scene, channelId), ['Deploy **1.5.0**?', '1.5.0 is approved.']);
  await off(flow);
});

test('only a question without a reply gets a reminder', async () => {
  const flow = await recipe('Questions');
  const channelId = await channelNamed('help');
  const { id: answered } = await scene.message({ channelId, content: 'Where is the key?' });
  await scene.message({ channelId, content: 'And the lantern?' });
  await runsWith(scene, flow.id, 'waiting', 2);
  await scene.message({ channelId, content: 'On the hook', replyToId: answered });
  await runsWith(scene, flow.id, 'done');
  await advance(4 * 60 * 60_000 + 1_000);
  await runsWith(scene, flow.id, 'done', 2);
  const contents = await contentsOf(scene, channelId);
  assert.deepEqual(contents.slice(3), ['Nobody has answered this yet. Does anyone know?']);
  await off(flow);
});

test('the person on call changes on the first and after two weeks', async () => {
  const flow = await recipe('On call');
  const channelId = await channelNamed('on-call');
  const holders = async (): Promise<string[]> => {
    const roleId = ids['the id of the role On call'];
    const found: Json[] = dataOf(
      await scene.admin.get(`/servers/${scene.server.id}/members?roleIds=${roleId}`),
    );
    return found.map(({ user }) => user.username);
  };
  await at('2027-03-01T07:00:00Z', flow, 'waiting');
  assert.deepEqual(await holders(), ['ada']);
  await advance(14 * DAY_MS + 1_000);
  await runsWith(scene, flow.id, 'done');
  assert.deepEqual(await holders(), ['ben']);
  assert.deepEqual((await contentsOf(scene, channelId)).slice(-2), [
    '@ada is on call until the 15th.',
    '@ben is on call until the end of the month.',
  ]);
  await off(flow);
});

test('the digest lists data from another service', async () => {
  clock.at = Date.parse('2027-03-17T12:00:00Z');
  const flow = await recipe('Digest');
  const channelId = await channelNamed('news');
  const items = ['Harbour', 'Lantern'].map((title) => ({ title, url: `https://example.com/${title}` }));
  receiver.otherwise = (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ items }));
  await at('2027-03-19T16:00:00Z', flow);
  const [thread] = await threadsIn(channelId);
  const replies = await repliesIn(thread?.id);
  assert.deepEqual(
    replies.slice(-2).map(({ content }) => content),
    items.map(({ title, url }) => `**${title}** ${url}`),
  );
  await off(flow);
});

/** Posts JSON to a flow's hook. */
async function post({ path }: Json, body: Json): Promise<void> {
  const answer = await fetch(world.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.equal(answer.status, 200, await answer.text());
}

test('a form posts to a channel', async () => {
  const flow = await recipe('Contact');
  await post(flow, { text: 'Is there a berth for 12 metres?' });
  await runsWith(scene, flow.id, 'done');
  assert.deepEqual(await contentsOf(scene, await channelNamed('sales')), [
    '**Somebody**\nIs there a berth for 12 metres?',
  ]);
});

test('a webhook opens a thread with its body', async () => {
  const flow = await recipe('Deploys');
  const body = { service: 'harbour', version: '1.4.2', by: 'ada' };
  await post(flow, body);
  await runsWith(scene, flow.id, 'done');
  const channelId = await channelNamed('deploys');
  assert.equal((await contentsOf(scene, channelId))[0], 'Deployed harbour 1.4.2');
  const [thread] = await threadsIn(channelId);
  const replies = await repliesIn(thread?.id);
  assert.deepEqual(JSON.parse(replies.at(-1)?.content), body);
});

test('every recipe in the guide is tested', () => {
  const names = blocksOf('flow-recipes.md').map(({ code }) => JSON.parse(code).name);
  assert.deepEqual(names.toSorted(), [...ran].toSorted());
});
