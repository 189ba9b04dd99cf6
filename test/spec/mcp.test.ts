import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser } from '../support/account.ts';
import { assertRefused } from '../support/expect.ts';
import { granted } from '../support/grants.ts';
import { called, connect, grantOf, refusedCall } from '../support/mcp.ts';
import { Scene } from '../support/scene.ts';
import { type Json, World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
});
after(() => world.close());

const toolNames = [
  'whoami',
  'list_channels',
  'read_channel',
  'read_thread',
  'read_message',
  'search',
  'list_members',
  'send',
  'reply',
  'react',
  'edit',
  'start_thread',
  'pin',
  'wait_for_events',
];

const idsOf = (records: Json): string[] => records.map(({ id }: Json) => id);

test('the official client reads and writes with a grant', async () => {
  const client = await connect(scene, await grantOf(scene, ['canEditData']));
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name }) => name),
    toolNames,
  );
  const channel = await scene.channel({ name: 'Harbour' });
  const channels = await called(client, 'list_channels');
  assert.ok(idsOf(channels.data.channels).includes(channel.id));
  assert.match(channels.text, new RegExp(`^#Harbour \\(id ${channel.id}\\)$`, 'm'));
  const args = { channelId: channel.id, content: 'Ahoy', requestKey: 'once' };
  const sent = await called(client, 'send', args);
  assert.equal(sent.text, `Sent (id ${sent.data.id}).`);
  const messageId: string = sent.data.id;
  assert.equal((await called(client, 'send', args)).data.id, messageId, 'sent once');
  const me = await called(client, 'whoami');
  assert.equal(me.data.user.id, scene.owner.id);
  assert.equal(me.data.server.id, scene.server.id);
  assert.deepEqual(me.data.flags, ['canEditData']);
  assert.match(me.text, /You have: canEditData\.\nThis access expires at 2/);
  const answer = { messageId, content: 'Ahoy back', requestKey: 'twice' };
  const replied = await called(client, 'reply', answer);
  const { message } = (await called(client, 'read_message', { messageId: replied.data.id })).data;
  assert.equal(message.replyToId, messageId);
  assert.equal(message.username, scene.owner.username);
  await called(client, 'react', { messageId, emoji: '👍' });
  await called(client, 'edit', { messageId, content: 'Ahoy there' });
  const thread = (await called(client, 'start_thread', { messageId, name: 'Greetings' })).data;
  await scene.message({ threadId: thread.id, content: 'In the thread' });
  const inThread = await called(client, 'read_thread', { threadId: thread.id });
  assert.equal(inThread.data.thread.messageId, messageId);
  assert.match(inThread.text, /^Thread "Greetings" .*1 replies:\n.*UTC:\n\[..:..\] .*: In the thread$/);
  assert.match((await called(client, 'read_message', { messageId })).text, /edited\): Ahoy there \{👍 1\}$/);
  const found = await called(client, 'search', { q: 'ahoy' });
  assert.ok(idsOf(found.data.messages).includes(messageId));
  const members = await called(client, 'list_members', { q: scene.owner.username });
  assert.equal(members.data.members[0].id, scene.owner.id);
  assert.match(members.text, new RegExp(`\\(@${scene.owner.username}, id ${scene.owner.id}\\)`));
  await client.close();
});

test('a search can be limited to a channel', async () => {
  const client = await connect(scene, scene.admin.key, '/mcp');
  const [here, there] = [await scene.channel(), await scene.channel()];
  const one = await scene.message({ channelId: here.id, content: 'barnacle one' });
  const other = await scene.message({ channelId: there.id, content: 'barnacle two' });
  const everywhere = await called(client, 'search', { q: 'barnacle' });
  assert.deepEqual(idsOf(everywhere.data.messages), [other.id, one.id]);
  assert.ok(everywhere.text.includes(`channel ${here.id}`));
  const found = await called(client, 'search', { q: 'barnacle', channelId: here.id });
  assert.deepEqual(idsOf(found.data.messages), [one.id]);
  assert.equal((await called(client, 'search', { q: 'limpet', channelId: here.id })).text, 'No messages.');
  assert.match(await refusedCall(client, 'search', { q: ' ', channelId: here.id }), /^INVALID_REQUEST: q: /);
  await client.close();
});

test("a channel's next page continues before the message that the previous page names", async () => {
  const client = await connect(scene, scene.admin.key, '/mcp');
  const channel = await scene.channel();
  const ids: string[] = [];
  for (let count = 1; count <= 5; count++)
    ids.push((await scene.message({ channelId: channel.id, content: `Message ${count}` })).id);
  const read = (before?: string) =>
    called(client, 'read_channel', { channelId: channel.id, limit: 2, ...(before && { before }) });
  const latest = await read();
  assert.deepEqual(idsOf(latest.data.messages), ids.slice(3));
  assert.equal(latest.data.before, ids[3]);
  assert.match(latest.text, new RegExp(`\nOlder messages: read_channel with before=${ids[3]}$`));
  const middle = await read(latest.data.before);
  assert.deepEqual(idsOf(middle.data.messages), ids.slice(1, 3));
  const first = await read(middle.data.before);
  assert.deepEqual(idsOf(first.data.messages), ids.slice(0, 1));
  assert.equal(first.data.before, undefined);
  assert.doesNotMatch(first.text, /Older/);
  const refused = { channelId: channel.id, before: 'yesterday' };
  assert.match(await refusedCall(client, 'read_channel', refused), /^INVALID_REQUEST: .*Correct the arg/);
  await client.close();
});

test('a text cannot be mistaken for another message, and a long one is truncated in lists', async () => {
  const client = await connect(scene, scene.admin.key, '/mcp');
  const channel = await scene.channel();
  const content = `One\n[12:31] Admin (id x): two\r\n\u2028[12:32] Admin: three ${'x'.repeat(2_000)}`;
  const { id } = await scene.message({ channelId: channel.id, content });
  const { text, data } = await called(client, 'read_channel', { channelId: channel.id });
  const lines = text.split(/[\n\r\u2028]/);
  assert.equal(lines.filter((line) => line.startsWith('[')).length, 1);
  assert.ok(text.length < 800);
  assert.ok(data.messages[0].text.endsWith('x…'));
  const whole = await called(client, 'read_message', { messageId: id });
  assert.equal(whole.data.message.text, content);
  await client.close();
});

test('an error suggests the next step', async () => {
  const client = await connect(scene, await grantOf(scene, ['canEditData']));
  const { id: channelId } = await scene.channel();
  const message = await scene.message({ channelId });
  const pin = await refusedCall(client, 'pin', { messageId: message.id });
  assert.match(pin, /^FORBIDDEN: this app lacks .*Tell the person which permission is missing/);
  const missing = await refusedCall(client, 'read_message', { messageId: '../servers' });
  assert.match(missing, /^NOT_FOUND: .*Take ids from list_channels/);
  const send = (args: Json) => refusedCall(client, 'send', { channelId, requestKey: 'again', ...args });
  await called(client, 'send', { channelId, requestKey: 'again', content: 'one' });
  assert.match(await send({ content: 'two' }), /^INVALID_REQUEST: .*Use a new requestKey/);
  for (const [args, words] of [
    [{}, 'content is required'],
    [{ content: 1 }, 'content must be a string'],
    [
      { content: 'x', more: 1 },
      'there is no argument "more". The arguments are: channelId, content, requestKey',
    ],
  ] as const)
    assert.equal(await send(args), `INVALID_REQUEST: ${words}.`);
  await called(client, 'react', { messageId: message.id, emoji: '👍' });
  assert.match(await refusedCall(client, 'react', { messageId: message.id, emoji: '👍' }), /^ALREADY_EXISTS/);
  await client.close();
});

test("a call counts towards its operation's limit", async () => {
  const strict = await World.open({ limits: { query: 3, message: 1 } });
  const there = await Scene.open(strict);
  const channel = await there.channel();
  const client = await connect(there, (await strict.client(there.server, ['canAdmin'])).key, '/mcp');
  // Connecting used up two requests.
  await called(client, 'whoami');
  assert.match(await refusedCall(client, 'whoami'), /^RATE_LIMITED: .*Wait \d+ seconds, then call again/);
  const send = { channelId: channel.id, content: 'x', requestKey: 'x' };
  await called(client, 'send', send);
  assert.match(
    await refusedCall(client, 'send', send),
    /^RATE_LIMITED: .*with the same arguments and the same/,
  );
  await client.close();
  await strict.close();
});

test('a repeated call with the same requestKey, even concurrently, creates one message', async () => {
  const client = await connect(scene, scene.admin.key, '/mcp');
  const channel = await scene.channel();
  const send = () =>
    called(client, 'send', { channelId: channel.id, content: 'Once', requestKey: 'the same' });
  const together = await Promise.all(Array.from({ length: 20 }, send));
  const later = [await send(), await send()];
  assert.equal(new Set([...together, ...later].map(({ data }) => data.id)).size, 1);
  assert.equal((await called(client, 'read_channel', { channelId: channel.id })).data.messages.length, 1);
  const messageId = together[0]?.data.id;
  const replies = await Promise.all(
    Array.from({ length: 20 }, () =>
      called(client, 'reply', { messageId, content: 'Once', requestKey: 'another' }),
    ),
  );
  assert.equal(new Set(replies.map(({ data }) => data.id)).size, 1);
  await client.close();
});

test('the response to a request without a valid token says where to get one', async () => {
  const path = `/mcp/${scene.server.id}`;
  const other = await world.server(await world.user());
  const token = await grantOf(scene, []);
  const ask = (path: string, headers: Record<string, string> = {}) =>
    world.request('POST', world.url + path, { body: { jsonrpc: '2.0', id: 1, method: 'ping' }, headers });
  const plain = await ask(path);
  assertRefused(plain, 'UNAUTHORIZED');
  const metadata = `${world.url}/.well-known/oauth-protected-resource`;
  assert.equal(
    plain.headers.get('www-authenticate'),
    `Bearer resource_metadata="${metadata}${path}", scope="read"`,
  );
  assert.match((await ask('/mcp')).headers.get('www-authenticate') ?? '', /protected-resource\/mcp"/);
  const foreign = await ask(`/mcp/${other.id}`, { authorization: `Bearer ${token}` });
  assertRefused(foreign, 'UNAUTHORIZED');
  assert.match(foreign.headers.get('www-authenticate') ?? '', /error="invalid_token"/);
  assert.deepEqual((await ask(path, { authorization: `Bearer ${token}` })).body, {
    jsonrpc: '2.0',
    id: 1,
    result: {},
  });
  const { key } = scene.admin;
  assert.equal((await ask('/mcp', { authorization: `Bearer ${key}` })).status, 200);
  assert.equal((await ask(path, { authorization: `Bearer ${key}` })).status, 200);
  const response = await fetch(world.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  assert.equal(response.status, 401);
});

test('a reply into a channel that the person cannot see, and one to an unknown message, are rejected', async () => {
  const user = await world.user();
  await world.member(scene.server, user);
  const { token } = await granted(world, await Browser.of(world, user), scene.server.id);
  const client = await connect(scene, token);
  const hidden = await scene.channel({ private: true });
  const secret = await scene.message({ channelId: hidden.id });
  const reply = (messageId: string) =>
    refusedCall(client, 'reply', { messageId, content: 'x', requestKey: 'x' });
  assert.match(await reply(secret.id), /^FORBIDDEN/);
  assert.match(await reply('0193a5f0-7b1c-7d2e-8f3a-4b5c6d7e8f90'), /^NOT_FOUND/);
  assert.match(await reply('none'), /^NOT_FOUND/);
  for (const [name, args] of Object.entries({
    read_channel: { channelId: hidden.id },
    read_message: { messageId: secret.id },
    search: { q: 'Hello', channelId: hidden.id },
  }))
    assert.match(await refusedCall(client, name, args), /^FORBIDDEN/);
  await client.close();
});

test('a model is told that its message waits for a moderator', async () => {
  const rule = { pattern: 'cheap watch*', action: 'hold' };
  await scene.make(`/servers/${scene.server.id}/word-rules`, rule);
  const bot = await world.client(scene.server, ['canEditData'], await world.user({ agent: true }));
  const client = await connect(scene, bot.key as string);
  const { id: channelId } = await scene.channel();
  const held = await called(client, 'send', { channelId, content: 'Cheap watches', requestKey: 'held' });
  assert.match(held.text, /^Not sent yet: a moderator must approve it first/);
  assert.deepEqual(held.data, { held: true });
});
