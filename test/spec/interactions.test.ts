import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertRefused, dataOf } from '../support/expect.ts';
import { until } from '../support/process.ts';
import { type Client, type Json, TestClock, World } from '../support/world.ts';

// Tests interactions with an agent's blocks, and the agent's responses.

const clock = new TestClock();
let world: World;
let server: Json;
let admin: Client;
let bot: Client;
let ada: Client;
let bob: Client;
let channel: Json;
before(async () => {
  world = await World.open({ clock, timers: true });
  const owner = await world.user();
  server = await world.server(owner);
  admin = await world.client(server, ['canAdmin'], owner);
  bot = await world.client(server, ['canEditData'], await world.user({ agent: true }));
  ada = await world.client(server, ['canEditData'], await world.user({ name: 'Ada' }));
  bob = await world.client(server, ['canEditData'], await world.user({ name: 'Bob' }));
  channel = dataOf(await admin.post('/channels', { name: 'interactions' }));
});
after(() => world.close());

const elements = [
  { type: 'button', id: 'ok', text: 'OK', value: '1' },
  { type: 'button', id: 'again', text: 'Again', repeatable: true },
  {
    type: 'select',
    id: 'where',
    options: [
      { text: 'Here', value: 'h' },
      { text: 'There', value: 't' },
    ],
  },
  { type: 'date', id: 'when' },
  {
    type: 'form',
    id: 'why',
    text: 'Why…',
    fields: [
      { type: 'text', id: 'reason', label: 'Reason', required: true, maxLength: 10 },
      { type: 'checkbox', id: 'sure', label: 'Sure', required: true },
      { type: 'date', id: 'day', label: 'Day' },
    ],
  },
];
const ask = async (deciders?: Json, channelId = channel.id): Promise<Json> =>
  dataOf(
    await bot.post('/messages', {
      channelId,
      content: 'Deploy?',
      blocks: [{ type: 'actions', id: 'a1', elements, ...(deciders && { deciders }) }],
    }),
  );
const act = (client: Client, { id: messageId }: Json, actionId = 'ok', value?: unknown) =>
  client.post('/interactions', { messageId, blockId: 'a1', actionId, ...(value !== undefined && { value }) });
const answer = (client: Client, { id }: Json, body: Json) => client.post(`/interactions/${id}/answer`, body);
const eventsOf = async (client: Client, id: string): Promise<Json[]> =>
  (await client.get('/events?types=interaction.*&limit=100')).data.filter(({ data }: Json) => data.id === id);
const shown = async (client: Client, { id }: Json): Promise<Json> =>
  dataOf(await client.get(`/interactions/${id}`));

test('a click is sent only to the agent, and its answer only to the person', async () => {
  const message = await ask();
  const made = dataOf(await act(ada, message));
  assert.deepEqual(
    [made.state, made.agentId, made.userId, made.messageId, made.blockId, made.actionId, 'value' in made],
    ['pending', bot.secret.userId, ada.secret.userId, message.id, 'a1', 'ok', false],
  );
  assert.equal(made.expiresAt, made.createdAt + 15 * 60_000);
  const [created, ...none] = await eventsOf(bot, made.id);
  assert.deepEqual([created?.type, created?.data.value, none], ['interaction.created', '1', []]);
  assert.deepEqual(created?.data, await shown(bot, made));
  assert.deepEqual(await shown(ada, made), created?.data);
  for (const client of [ada, bob, admin]) assert.deepEqual(await eventsOf(client, made.id), []);
  for (const client of [bob, admin]) {
    assertRefused(await client.get(`/interactions/${made.id}`), 'FORBIDDEN');
    assertRefused(await answer(client, made, { content: 'Mine' }), 'FORBIDDEN');
    assert.deepEqual(dataOf(await client.get(`/interactions?messageIds=${message.id}`)), []);
  }
  assertRefused(await answer(ada, made, { content: 'Mine' }), 'FORBIDDEN');

  const done = dataOf(await answer(bot, made, { ephemeral: 'Only for Ada' }));
  assert.deepEqual([done.state, done.replyId, 'ephemeral' in done], ['done', null, false]);
  for (const client of [ada, bot]) {
    const updated = (await eventsOf(client, made.id)).at(-1);
    assert.deepEqual([updated?.type, updated?.data.ephemeral], ['interaction.updated', 'Only for Ada']);
    const [listed] = dataOf(await client.get(`/interactions?messageIds=${message.id}&state=done`));
    assert.deepEqual(listed, updated?.data);
  }
  for (const client of [bob, admin]) assert.deepEqual(await eventsOf(client, made.id), []);
  assertRefused(await answer(bot, made, { ephemeral: 'Again' }), 'INVALID_REQUEST', '', 'id');
});

test('a second click returns the existing interaction', async () => {
  const message = await ask();
  const made = dataOf(await act(ada, message));
  assert.equal(dataOf(await act(ada, message)).id, made.id);
  assert.notEqual(dataOf(await act(bob, message)).id, made.id);
  dataOf(await answer(bot, made, { failed: true }));
  const retried = dataOf(await act(ada, message));
  assert.notEqual(retried.id, made.id);
  dataOf(await answer(bot, retried, { ephemeral: 'Done' }));
  assert.equal(dataOf(await act(ada, message)).id, retried.id);

  const first = dataOf(await act(ada, message, 'again'));
  dataOf(await answer(bot, first, { ephemeral: 'Done' }));
  assert.notEqual(dataOf(await act(ada, message, 'again')).id, first.id);
  const twenty = await Promise.all(Array.from({ length: 20 }, () => act(bob, message, 'where', 'h')));
  assert.equal(new Set(twenty.map((one) => dataOf(one).id)).size, 1);
});

test('an answer is a new message, or an edit to the message', async () => {
  const message = await ask();
  const told = dataOf(await answer(bot, dataOf(await act(ada, message)), { content: 'Deployed' }));
  const reply = dataOf(await ada.get(`/messages/${told.replyId}`));
  assert.deepEqual(
    [reply.content, reply.replyToId, reply.creatorId],
    ['Deployed', message.id, bot.secret.userId],
  );
  const update = { content: 'Over', blocks: [{ type: 'context', id: 'c', text: 'Done' }] };
  dataOf(await answer(bot, dataOf(await act(bob, message)), { update }));
  const changed = dataOf(await ada.get(`/messages/${message.id}`));
  assert.deepEqual([changed.content, changed.blocks], ['Over', update.blocks]);
  assertRefused(await act(ada, message, 'where', 'h'), 'INVALID_REQUEST', '', 'blockId');
});

test('values are validated against the element', async () => {
  const message = await ask();
  const bad: [string, unknown, string][] = [
    ['ok', '2', 'value'],
    ['where', 'x', 'value'],
    ['where', undefined, 'value'],
    ['when', '2027-02-30', 'value'],
    ['why', 'text', 'value'],
    ['why', { sure: true }, 'value.reason'],
    ['why', { reason: 'x'.repeat(11), sure: true }, 'value.reason'],
    ['why', { reason: '\u200b', sure: true }, 'value.reason'],
    ['why', { reason: 'x', sure: false }, 'value.sure'],
    ['why', { reason: 'x', sure: 'yes' }, 'value.sure'],
    ['why', { reason: 'x', sure: true, day: 'soon' }, 'value.day'],
    ['why', { reason: 'x', sure: true, other: 1 }, 'value'],
    ['nothing', undefined, 'actionId'],
  ];
  for (const [actionId, value, path] of bad)
    assertRefused(await act(ada, message, actionId, value), 'INVALID_REQUEST', `${actionId} ${value}`, path);
  const value = { reason: 'Because', sure: true };
  assert.deepEqual((await shown(bot, dataOf(await act(ada, message, 'why', value)))).value, value);
  const day = dataOf(await act(ada, message, 'when', '2027-02-28'));
  assert.equal((await shown(ada, day)).value, '2027-02-28');
});

test('people who may post in the channel can interact, but agents cannot', async () => {
  const message = await ask();
  const guest = await world.client(server, []);
  const other = await world.client(server, ['canAdmin'], await world.user({ agent: true }));
  for (const client of [guest, bot, other]) assertRefused(await act(client, message), 'FORBIDDEN');
  const hidden = dataOf(await admin.post('/channels', { name: 'hidden', private: true }));
  const role = await world.defaultRole(server);
  assertRefused(await act(ada, { id: (await scopedMessage(hidden.id)).id }), 'FORBIDDEN');
  assert.ok(role);
  const locked = dataOf(await admin.post('/threads', { channelId: channel.id, name: 'Locked' }));
  const inThread = dataOf(
    await bot.post('/messages', {
      threadId: locked.id,
      content: 'x',
      blocks: [{ type: 'actions', id: 'a1', elements }],
    }),
  );
  dataOf(await admin.patch(`/threads/${locked.id}`, { locked: true }));
  assertRefused(await act(ada, inThread), 'FORBIDDEN');
});

/** A message with blocks from an agent that sees all channels. */
async function scopedMessage(channelId: string): Promise<Json> {
  const agent = await world.client(server, ['canAdmin'], await world.user({ agent: true }));
  const blocks = [{ type: 'actions', id: 'a1', elements }];
  return dataOf(await agent.post('/messages', { channelId, content: 'x', blocks }));
}

test('an interaction expires after 15 minutes', async () => {
  const made = dataOf(await act(ada, await ask()));
  clock.advance(15 * 60_000 - 1_000);
  assert.equal((await shown(ada, made)).state, 'pending');
  clock.advance(2_000);
  assertRefused(await answer(bot, made, { content: 'Late' }), 'INVALID_REQUEST', '', 'id');
  await until(async () => (await shown(ada, made)).state === 'expired');
  assert.equal((await eventsOf(ada, made.id)).at(-1)?.data.state, 'expired');
  assert.equal((await eventsOf(bot, made.id)).at(-1)?.data.state, 'expired');
});

test('interactions end with their message and their agent', async () => {
  const message = await ask();
  const made = dataOf(await act(ada, message, 'why', { reason: 'A secret', sure: true }));
  assert.match(JSON.stringify(await eventsOf(bot, made.id)), /A secret/);
  dataOf(await bot.delete(`/messages/${message.id}`));
  assertRefused(await ada.get(`/interactions/${made.id}`), 'NOT_FOUND');
  const events = await eventsOf(bot, made.id);
  assert.equal(events.at(-1)?.type, 'interaction.deleted');
  assert.doesNotMatch(JSON.stringify(events), /A secret/);

  const leaving = await world.client(server, ['canEditData'], await world.user({ agent: true }));
  const blocks = [{ type: 'actions', id: 'a1', elements }];
  const last = dataOf(await leaving.post('/messages', { channelId: channel.id, content: 'x', blocks }));
  const open = dataOf(await act(ada, last));
  const members = dataOf(await admin.get(`/servers/${server.id}/members?limit=100`));
  const { id } = members.find(({ userId }: Json) => userId === leaving.secret.userId);
  dataOf(await admin.delete(`/server-members/${id}`));
  assert.equal((await shown(ada, open)).state, 'failed');
  assertRefused(await act(bob, last), 'INVALID_REQUEST', '', 'messageId');
});

test('the first decision on an approval wins, and everybody sees it', async () => {
  const message = await ask({ userIds: [ada.secret.userId, bob.secret.userId] });
  assertRefused(await act(admin, message), 'FORBIDDEN');
  const made = dataOf(await act(ada, message));
  const late = await act(bob, message, 'where', 't');
  assertRefused(late, 'ALREADY_EXISTS');
  assert.deepEqual(late.body.error.details, [{ id: made.id, userId: ada.secret.userId }]);
  assert.match(late.body.error.message, /^Ada /);
  assert.equal(dataOf(await act(ada, message)).id, made.id);
  assertRefused(await act(ada, message, 'where', 't'), 'ALREADY_EXISTS');
  const [block] = dataOf(await admin.get(`/messages/${message.id}`)).blocks;
  const [decision, ...others] = block.decisions;
  const { at, ...rest } = decision;
  assert.deepEqual(rest, { id: made.id, userId: ada.secret.userId, actionId: 'ok', value: '1' });
  assert.deepEqual([others, block.decidedAt], [[], at]);
  const types = (await admin.get('/events?types=approval.*,message.updated&limit=100')).data
    .filter(({ data }: Json) => data.messageId === message.id || data.id === message.id)
    .map(({ type }: Json) => type);
  assert.deepEqual(types, ['message.updated', 'approval.decided']);
  assertRefused(
    await bot.patch(`/messages/${message.id}`, { blocks: [{ ...block, elements: [elements[0]] }] }),
    'INVALID_REQUEST',
    '',
    'blocks.0',
  );
  const { deciders } = block;
  dataOf(
    await bot.patch(`/messages/${message.id}`, {
      content: 'Changed',
      blocks: [{ type: 'actions', id: 'a1', elements, deciders }],
    }),
  );
  assert.deepEqual(dataOf(await admin.get(`/messages/${message.id}`)).blocks, [block]);
});

test('an approval with the rule `all` needs a decision by each user and by a member with each role', async () => {
  const role = dataOf(await admin.post('/roles', { name: 'Release', canEditData: true }));
  const [carol, dan] = await Promise.all([
    world.clientWithRole(server, role),
    world.clientWithRole(server, role),
  ]);
  const message = await ask({ userIds: [ada.secret.userId], roleIds: [role.id], rule: 'all' });
  const made = dataOf(await act(carol, message));
  const late = await act(dan, message);
  assertRefused(late, 'ALREADY_EXISTS');
  assert.deepEqual(late.body.error.details, [{ id: made.id, userId: carol.secret.userId }]);
  const [open] = dataOf(await admin.get(`/messages/${message.id}`)).blocks;
  assert.equal(open.decidedAt, undefined);
  dataOf(await act(ada, message, 'where', 't'));
  const [block] = dataOf(await admin.get(`/messages/${message.id}`)).blocks;
  assert.deepEqual(
    block.decisions.map(({ roleIds }: Json) => roleIds),
    [[role.id], []],
  );
  assert.ok(block.decidedAt > 0);
});

test('of 20 concurrent decisions on an approval, one wins', async () => {
  const deciders = await Promise.all(Array.from({ length: 20 }, () => world.client(server, ['canEditData'])));
  const message = await ask({ userIds: deciders.map(({ secret }) => secret.userId) });
  const answers = await Promise.all(deciders.map((client) => act(client, message)));
  const won = answers.filter(({ status }) => status === 200);
  assert.equal(won.length, 1);
  const { id, userId } = dataOf(won[0] as never);
  for (const one of answers.filter(({ status }) => status !== 200)) {
    assertRefused(one, 'ALREADY_EXISTS');
    assert.deepEqual(one.body.error.details, [{ id, userId }]);
  }
  const [block] = dataOf(await admin.get(`/messages/${message.id}`)).blocks;
  assert.equal(block.decisions.length, 1);
});
