import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertRefused, dataOf } from '../support/expect.ts';
import { type Client, type Json, World } from '../support/world.ts';

// Agents' commands: who creates them, and how people use them.

let world: World;
let server: Json;
let admin: Client;
let bot: Client;
let ada: Client;
let channel: Json;
before(async () => {
  world = await World.open({ quotas: { commands: 4 } });
  const owner = await world.user();
  server = await world.server(owner);
  admin = await world.client(server, ['canAdmin'], owner);
  bot = await world.client(server, ['canEditData'], await world.user({ agent: true }));
  ada = await world.client(server, ['canEditData']);
  channel = dataOf(await admin.post('/channels', { name: 'commands' }));
});
after(() => world.close());

const options = [
  { name: 'service', type: 'choice', choices: ['web', 'api'], required: true },
  { name: 'note', description: 'Why', type: 'text' },
  { name: 'count', type: 'number' },
  { name: 'dry', type: 'boolean' },
  { name: 'who', type: 'user' },
  { name: 'where', type: 'channel' },
];
const invoke = (client: Client, { id: commandId }: Json, given?: unknown, channelId = channel.id) =>
  client.post('/interactions', { commandId, channelId, ...(given !== undefined && { options: given }) });
const listed = async (): Promise<Json[]> => dataOf(await ada.get(`/servers/${server.id}/commands`));
const typesOf = async (id: string): Promise<string[]> =>
  (await ada.get('/events?types=command.*&limit=100')).data
    .filter(({ data }: Json) => data.id === id)
    .map(({ type }: Json) => type);

test('an agent creates, changes and deletes its command', async () => {
  const made = dataOf(await bot.post('/commands', { name: 'DEPLOY', description: 'Deploys', options }));
  assert.deepEqual([made.name, made.agentId, made.serverId], ['deploy', bot.secret.userId, server.id]);
  assert.deepEqual(made.options[0], { ...options[0], description: '' });
  assert.deepEqual(made.options[1].required, false);
  assert.deepEqual(await listed(), [made]);
  const taken = await bot.post('/commands', { name: 'Deploy' });
  assertRefused(taken, 'ALREADY_EXISTS');
  assert.deepEqual(taken.body.error.details, { id: made.id });
  const renamed = dataOf(await bot.patch(`/commands/${made.id}`, { name: 'выкат' }));
  assert.deepEqual([renamed.name, renamed.description], ['выкат', 'Deploys']);
  assert.equal(
    dataOf(await bot.patch(`/commands/${made.id}`, { name: 'Выкат' })).updatedAt,
    renamed.updatedAt,
  );
  for (const client of [ada, await world.client(server, ['canEditData'], await world.user({ agent: true }))])
    for (const refused of [
      await client.patch(`/commands/${made.id}`, { name: 'mine' }),
      await client.delete(`/commands/${made.id}`),
    ])
      assertRefused(refused, 'FORBIDDEN');
  dataOf(await bot.delete(`/commands/${made.id}`));
  assert.deepEqual(await listed(), []);
  assert.deepEqual(await typesOf(made.id), ['command.created', 'command.updated', 'command.deleted']);
});

test("callers with canEditApp can create commands for the server's agents", async () => {
  const editor = await world.client(server, ['canEditApp']);
  const { userId: agentId } = bot.secret;
  assertRefused(await ada.post('/commands', { name: 'status', agentId }), 'FORBIDDEN');
  assertRefused(await editor.post('/commands', { name: 'status' }), 'INVALID_REQUEST', '', 'agentId');
  const person = { name: 'status', agentId: ada.secret.userId };
  assertRefused(await editor.post('/commands', person), 'INVALID_REQUEST', '', 'agentId');
  const other = await world.client(server, ['canEditData'], await world.user({ agent: true }));
  assertRefused(await other.post('/commands', { name: 'status', agentId }), 'FORBIDDEN');
  const stranger = await world.user({ agent: true });
  const outside = { name: 'status', agentId: stranger.id };
  assertRefused(await editor.post('/commands', outside), 'INVALID_REQUEST', '', 'agentId');
  const made = dataOf(await editor.post('/commands', { name: 'status', agentId }));
  assert.equal(made.agentId, agentId);
  dataOf(await editor.delete(`/commands/${made.id}`));
});

test('invalid commands are refused', async () => {
  const bad: [Json, string][] = [
    [{ name: 'a b' }, 'name'],
    [{ name: '/deploy' }, 'name'],
    [{ name: '\u200b' }, 'name'],
    [{ name: 'x'.repeat(33) }, 'name'],
    [{ description: 'a\u202eb' }, 'description'],
    [{ options: Array.from({ length: 11 }, (_, index) => ({ name: `o${index}`, type: 'text' })) }, 'options'],
    [{ options: [options[1], options[1]] }, 'options.1.name'],
    [{ options: [{ name: 'a', type: 'choice' }] }, 'options.0.choices'],
    [{ options: [{ name: 'a', type: 'choice', choices: ['b', 'b'] }] }, 'options.0.choices'],
    [{ options: [{ name: 'a', type: 'text', choices: ['b'] }] }, 'options.0.choices'],
    [{ options: [{ name: 'a', type: 'file' }] }, 'options.0.type'],
    [{ options: [options[1], { ...options[0], name: 'late' }] }, 'options.1'],
  ];
  for (const [fields, path] of bad)
    assertRefused(
      await bot.post('/commands', { name: 'bad', ...fields }),
      'INVALID_REQUEST',
      JSON.stringify(fields),
      path,
    );
});

test('a person uses a command, which its agent answers', async () => {
  const command = dataOf(await bot.post('/commands', { name: 'deploy', options }));
  const given = {
    service: 'web',
    note: 'Now',
    count: 2,
    dry: true,
    who: ada.secret.userId,
    where: channel.id,
  };
  const made = dataOf(await invoke(ada, command, given));
  assert.deepEqual([made.commandId, made.messageId, made.state], [command.id, null, 'pending']);
  const [created] = (await bot.get('/events?types=interaction.*')).data;
  assert.deepEqual([created.type, created.data.options], ['interaction.created', given]);
  for (const client of [ada, admin])
    assert.deepEqual((await client.get('/events?types=interaction.*')).data, []);
  const update = { content: 'x' };
  assertRefused(
    await bot.post(`/interactions/${made.id}/answer`, { update }),
    'INVALID_REQUEST',
    '',
    'update',
  );
  const { replyId } = dataOf(await bot.post(`/interactions/${made.id}/answer`, { content: 'Deployed' }));
  assert.equal(dataOf(await ada.get(`/messages/${replyId}`)).channelId, channel.id);

  const hidden = dataOf(await admin.post('/channels', { name: 'hidden', private: true }));
  const bad: [unknown, string][] = [
    [undefined, 'options.service'],
    [['web'], 'options'],
    [{ service: 'db' }, 'options.service'],
    [{ service: 'web', other: 1 }, 'options'],
    [{ service: 'web', count: '2' }, 'options.count'],
    [{ service: 'web', dry: 1 }, 'options.dry'],
    [{ service: 'web', note: 'x'.repeat(4_001) }, 'options.note'],
    [{ service: 'web', who: 'nobody' }, 'options.who'],
    [{ service: 'web', where: hidden.id }, 'options.where'],
    [{ service: 'web', where: '0' }, 'options.where'],
  ];
  for (const [values, path] of bad)
    assertRefused(await invoke(ada, command, values), 'INVALID_REQUEST', JSON.stringify(values), path);
  assertRefused(await invoke(bot, command, { service: 'web' }), 'FORBIDDEN');
  assertRefused(await invoke(ada, command, { service: 'web' }, hidden.id), 'FORBIDDEN');
  // The agent cannot see this channel.
  assertRefused(
    await invoke(admin, command, { service: 'web' }, hidden.id),
    'INVALID_REQUEST',
    '',
    'channelId',
  );
  const other = await world.server(await world.user());
  const elsewhere = await world.client(other, ['canAdmin']);
  const place = dataOf(await elsewhere.post('/channels', { name: 'elsewhere' }));
  assertRefused(await invoke(elsewhere, command, given, place.id), 'INVALID_REQUEST', '', 'commandId');
  assertRefused(await elsewhere.get(`/servers/${server.id}/commands`), 'FORBIDDEN');
});

test('a command that is used in a thread is answered there', async () => {
  const command = dataOf(await bot.post('/commands', { name: 'inside' }));
  const thread = dataOf(await admin.post('/threads', { channelId: channel.id, name: 'Inside' }));
  const use = (fields: object) => ada.post('/interactions', { commandId: command.id, ...fields });
  const made = dataOf(await use({ threadId: thread.id }));
  assert.deepEqual([made.channelId, made.threadId, made.messageId], [channel.id, thread.id, null]);
  const created = (await bot.get('/events?types=interaction.created')).data.at(-1);
  assert.deepEqual([created.data.id, created.data.threadId], [made.id, thread.id]);
  const { replyId } = dataOf(await bot.post(`/interactions/${made.id}/answer`, { content: 'Here' }));
  const reply = dataOf(await ada.get(`/messages/${replyId}`));
  assert.deepEqual([reply.threadId, reply.replyToId, reply.isThreadReply], [thread.id, null, true]);

  const other = dataOf(await admin.post('/channels', { name: 'outside' }));
  assertRefused(
    await use({ channelId: other.id, threadId: thread.id }),
    'INVALID_REQUEST',
    'the channel of another thread',
    'channelId',
  );
  const both = dataOf(await use({ channelId: channel.id, threadId: thread.id }));
  dataOf(await admin.patch(`/threads/${thread.id}`, { locked: true }));
  assertRefused(await use({ threadId: thread.id }), 'FORBIDDEN');
  dataOf(await admin.delete(`/threads/${thread.id}`));
  assertRefused(await use({ threadId: thread.id }), 'NOT_FOUND');
  assertRefused(await bot.post(`/interactions/${both.id}/answer`, { content: 'Late' }), 'NOT_FOUND');
  dataOf(await bot.post(`/interactions/${both.id}/answer`, { ephemeral: 'The thread was deleted.' }));
  dataOf(await bot.delete(`/commands/${command.id}`));
});

test('interactions with a message in a thread belong to that thread', async () => {
  const thread = dataOf(await admin.post('/threads', { channelId: channel.id, name: 'Buttons' }));
  const blocks = [{ type: 'actions', id: 'a1', elements: [{ type: 'button', id: 'ok', text: 'OK' }] }];
  const message = dataOf(await bot.post('/messages', { threadId: thread.id, content: 'Press', blocks }));
  const made = dataOf(
    await ada.post('/interactions', { messageId: message.id, blockId: 'a1', actionId: 'ok' }),
  );
  assert.deepEqual([made.channelId, made.threadId], [channel.id, thread.id]);
});

test('commands have a quota, and are deleted with their agent', async () => {
  const agent = await world.client(server, ['canEditData'], await world.user({ agent: true }));
  for (const name of ['one', 'two', 'three']) dataOf(await agent.post('/commands', { name }));
  assertRefused(await agent.post('/commands', { name: 'four' }), 'INVALID_REQUEST');
  const members = dataOf(await admin.get(`/servers/${server.id}/members?limit=100`));
  const { id } = members.find(({ userId }: Json) => userId === agent.secret.userId);
  dataOf(await admin.delete(`/server-members/${id}`));
  assert.deepEqual(
    (await listed()).map(({ name }) => name),
    ['deploy'],
  );
});
