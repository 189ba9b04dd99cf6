import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { operations, pathOf } from '../rows/index.ts';
import { Browser } from '../support/account.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { assertRecord } from '../support/records.ts';
import { Scene } from '../support/scene.ts';
import { type Client, type Json, World } from '../support/world.ts';

// Runs the rows for interactions in a direct message between a person and an agent.

let world: World;
let scene: Scene;
let ada: Browser;
let bot: Client;
let dm: Json;
let agent: Json;
before(async () => {
  world = await World.open({ limits: { '*': 0 } });
  scene = await Scene.open(world);
  const person = await world.user();
  await world.member(scene.server, person);
  ada = await Browser.of(world, person, scene.server);
  agent = await world.user({ agent: true });
  bot = await world.client(scene.server, [], agent);
  dm = dataOf(await ada.api.post('/conversations', { userIds: [agent.id] }));
});
after(() => world.close());

const elements = [{ type: 'button', id: 'ok', text: 'OK', value: '1' }];
const blocks = [{ type: 'actions', id: 'a1', elements }];

async function click(): Promise<Json> {
  const message = dataOf(await bot.post('/messages', { channelId: dm.id, content: 'Ready', blocks }));
  return { messageId: message.id, blockId: 'a1', actionId: 'ok' };
}

async function use(): Promise<Json> {
  const command = { name: world.unique('command'), agentId: agent.id };
  return { commandId: dataOf(await scene.admin.post('/commands', command)).id, channelId: dm.id };
}

async function useInThread(): Promise<Json> {
  const thread = dataOf(await ada.api.post('/threads', { channelId: dm.id, name: 'Inside' }));
  return { ...(await use()), threadId: thread.id };
}

const interact = async (body: Json): Promise<Json> => dataOf(await ada.api.post('/interactions', body));

/** The request that each row sends, by the row's name and variant. */
const requests: Record<string, () => Promise<{ id?: string; body?: Json }>> = {
  interactionInsert: async () => ({ body: await click() }),
  'interactionInsert with a command': async () => ({ body: await use() }),
  'interactionInsert with a command in a thread': async () => ({ body: await useInThread() }),
  interactions: async () => {
    await interact(await click());
    return {};
  },
  interactionById: async () => ({ id: (await interact(await click())).id }),
};

for (const row of operations.filter(({ noun }) => noun.name === 'interaction')) {
  const { name, method, answer } = row;
  const variants = 'variants' in row ? (row.variants ?? []) : [];
  for (const what of [name, ...variants.map(({ as }) => `${name} ${as}`)])
    test(`${what} in a direct message`, async () => {
      const ready = requests[what];
      assert.ok(ready, 'a request for the row');
      const { id, body } = await ready();
      const data = dataOf(await ada.send(method, pathOf(row, id), body, {}, '/api/v1'), what);
      assert.ok([data].flat().length > 0);
      for (const record of [data].flat()) assertRecord(record, answer, what);
      if (name === 'interactions') return;
      const owner = await Browser.of(world, scene.owner, scene.server);
      assertRefused(await owner.send(method, pathOf(row, id), body, {}, '/api/v1'), 'FORBIDDEN', what);
    });
}

test('the agent answers with a message, a change and a text for the person only', async () => {
  const answer = async (body: Json, given: Json) =>
    dataOf(await bot.post(`/interactions/${(await interact(body)).id}/answer`, given));
  const sent = await answer(await use(), { content: 'Deployed' });
  assert.deepEqual([sent.state, sent.channelId], ['done', dm.id]);
  assert.equal(dataOf(await ada.api.get(`/messages/${sent.replyId}`)).content, 'Deployed');
  const clicked = await click();
  await answer(clicked, { update: { content: 'Over', blocks: [] } });
  assert.equal(dataOf(await ada.api.get(`/messages/${clicked.messageId}`)).content, 'Over');
  const told = await answer(await click(), { ephemeral: 'For you' });
  assert.equal(dataOf(await ada.api.get(`/interactions/${told.id}`)).ephemeral, 'For you');
});
