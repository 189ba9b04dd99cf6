import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser } from '../support/account.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { postTo } from '../support/hookPost.ts';
import { Scene } from '../support/scene.ts';
import { find, q } from '../support/sources.ts';
import { upload } from '../support/uploads.ts';
import { type Client, type Json, TestClock, World } from '../support/world.ts';

const DAY_MS = 24 * 60 * 60_000;

const clock = new TestClock();
let world: World;
before(async () => {
  world = await World.open({ clock, limits: { '*': 0 } });
});
after(() => world.close());

interface Stage {
  scene: Scene;
  channel: Json;
  moderator: Client;
  author: Client;
  other: Client;
}

async function stage(...rules: [pattern: string, action: 'hold' | 'refuse'][]): Promise<Stage> {
  const scene = await Scene.open(world);
  const client = async (...flags: ('canModerate' | 'canEditData')[]) =>
    world.client(scene.server, flags, await world.user());
  for (const [pattern, action] of rules)
    await scene.make(`/servers/${scene.server.id}/word-rules`, { pattern, action });
  return {
    scene,
    channel: await scene.channel(),
    moderator: await client('canModerate'),
    author: await client('canEditData'),
    other: await client('canEditData'),
  };
}

const heldOf = async ({ scene }: Stage, client: Client): Promise<Json[]> =>
  dataOf(await client.get(`/servers/${scene.server.id}/held-messages`));
const messagesOf = async ({ channel }: Stage, client: Client): Promise<Json[]> =>
  dataOf(await client.get(`/channels/${channel.id}/messages`));

test('forbidden words are rejected in messages, edits and thread names, before anybody sees them', async () => {
  const given = await stage(['snakeoil*', 'refuse']);
  const { channel, author, moderator } = given;
  const text = 'Buy my **Snake**Oils!';
  const sent = dataOf(await author.post('/messages', { channelId: channel.id, content: 'Hello' }));
  const writes = [
    await author.post('/messages', { channelId: channel.id, content: text }),
    await author.patch(`/messages/${sent.id}`, { content: text }),
    await author.post('/threads', { messageId: sent.id, name: 'Snakeoil for all' }),
  ];
  for (const answer of writes) {
    assertRefused(answer, 'FORBIDDEN');
    assert.match(answer.body.error.details.rule, /word rules/);
  }
  const thread = dataOf(await author.post('/threads', { messageId: sent.id, name: 'Fine' }));
  assertRefused(await author.patch(`/threads/${thread.id}`, { name: 'Snakeoil' }), 'FORBIDDEN');
  assert.equal((await messagesOf(given, author)).length, 1);
  assert.deepEqual(await heldOf(given, moderator), []);
  // Moderators are exempt.
  dataOf(await given.scene.admin.post('/messages', { channelId: channel.id, content: text }));
});

test('a held message is only visible to its author and moderators, until it is approved', async () => {
  const given = await stage(['cheap watch*', 'hold']);
  const { channel, author, other, moderator } = given;
  const content = 'CHEAP, watches!';
  const answer = await author.post(
    '/messages',
    { channelId: channel.id, content },
    { 'idempotency-key': 'one' },
  );
  const held = dataOf(answer);
  assert.deepEqual([held.held, held.content], [true, content]);
  const again = await author.post(
    '/messages',
    { channelId: channel.id, content },
    { 'idempotency-key': 'one' },
  );
  assert.deepEqual([again.data.id, again.data.held, again.data.deleted], [held.id, true, false]);
  assert.deepEqual(await messagesOf(given, moderator), []);
  assertRefused(await author.get(`/messages/${held.id}`), 'NOT_FOUND');
  assert.deepEqual(await heldOf(given, other), []);
  for (const client of [author, moderator]) {
    const [one, ...more] = await heldOf(given, client);
    assert.deepEqual([one?.id, one?.content, one?.pattern, more], [held.id, content, 'cheap watch*', []]);
  }
  const events = await world.request('GET', '/events?limit=100', {
    headers: { authorization: `Bearer ${other.key}` },
  });
  assert.doesNotMatch(JSON.stringify(events.body), new RegExp(`${held.id}|CHEAP`));

  assertRefused(await author.post(`/held-messages/${held.id}/approve`), 'FORBIDDEN');
  clock.advance(60_000);
  const sent = dataOf(await moderator.post(`/held-messages/${held.id}/approve`));
  assert.deepEqual([sent.creatorId, sent.content], [author.secret.userId, content]);
  assert.equal(sent.createdAt, clock.now());
  assert.deepEqual(
    (await messagesOf(given, other)).map(({ id }) => id),
    [sent.id],
  );
  assert.deepEqual(await heldOf(given, moderator), []);
  assertRefused(await moderator.post(`/held-messages/${held.id}/approve`), 'NOT_FOUND');
});

test('a repeated approval shows the current text of the message, and none after its deletion', async () => {
  const given = await stage(['zzyzx', 'hold']);
  const { channel, author, moderator } = given;
  const held = dataOf(await author.post('/messages', { channelId: channel.id, content: 'zzyzx secret' }));
  const approve = async () =>
    dataOf(await moderator.post(`/held-messages/${held.id}/approve`, {}, { 'idempotency-key': 'approve' }));
  const sent = await approve();
  assert.equal(sent.content, 'zzyzx secret');
  assert.deepEqual(await approve(), sent);
  const stored = await world.data.db.read.all(q.selectFrom('idempotency').select('answer'));
  assert.ok(stored.some(({ answer }) => answer.includes(sent.id)));
  assert.ok(stored.every(({ answer }) => !answer.includes('zzyzx')));
  dataOf(await author.delete(`/messages/${sent.id}`));
  const { content, deleted } = await approve();
  assert.deepEqual([content, deleted], ['', true]);
});

test('a held message is deleted when it is rejected or withdrawn, or after 14 days', async () => {
  const given = await stage(['zzyzx', 'hold']);
  const { channel, author, other, moderator } = given;
  const send = async () =>
    dataOf(await author.post('/messages', { channelId: channel.id, content: 'zzyzx' })).id as string;
  const [rejected, withdrawn, forgotten] = [await send(), await send(), await send()];
  assertRefused(await other.delete(`/held-messages/${rejected}`), 'FORBIDDEN');
  assert.equal(dataOf(await moderator.delete(`/held-messages/${rejected}`)).outcome, 'rejected');
  assert.equal(dataOf(await author.delete(`/held-messages/${withdrawn}`)).outcome, 'withdrawn');
  clock.advance(14 * DAY_MS);
  assertRefused(await moderator.post(`/held-messages/${forgotten}/approve`), 'NOT_FOUND');
  await world.tidy();
  for (const id of [rejected, withdrawn, forgotten])
    assert.equal(await world.data.db.read.first(find('heldMessage', { id })), undefined);
});

test('moderators only see held messages in channels that they can see', async () => {
  const given = await stage(['zzyzx', 'hold']);
  const { scene, author, moderator } = given;
  const role = await scene.role({ canEditData: true });
  const channel = await scene.channel({ private: true, roleIds: [role.id] });
  const insider = await world.clientWithRole(scene.server, role);
  const held = dataOf(await insider.post('/messages', { channelId: channel.id, content: 'zzyzx' }));
  assert.deepEqual(await heldOf(given, moderator), []);
  assertRefused(await moderator.post(`/held-messages/${held.id}/approve`), 'FORBIDDEN');
  assert.equal((await heldOf(given, scene.admin)).length, 1);
  assert.deepEqual(await heldOf(given, author), []);
});

test('edits, names and messages with files cannot be held, and direct messages have no word rules', async () => {
  const given = await stage(['zzyzx', 'hold']);
  const { scene, channel, author } = given;
  const sent = dataOf(await author.post('/messages', { channelId: channel.id, content: 'Hello' }));
  assertRefused(await author.patch(`/messages/${sent.id}`, { content: 'zzyzx' }), 'FORBIDDEN');
  assertRefused(await author.post('/threads', { messageId: sent.id, name: 'zzyzx' }), 'FORBIDDEN');
  const file = dataOf(await upload(world, author, Buffer.from('A file'), 'a.txt'));
  const attachmentIds = [file.id];
  const withFile = { channelId: channel.id, content: 'zzyzx', attachmentIds };
  assertRefused(await author.post('/messages', withFile), 'FORBIDDEN');
  const [one, two] = [await world.user(), await world.user()];
  for (const user of [one, two]) await world.member(scene.server, user);
  const browser = await Browser.of(world, one, scene.server);
  const { id: channelId } = dataOf(await browser.api.post('/conversations', { userIds: [two.id] }));
  const direct = dataOf(await browser.api.post('/messages', { channelId, content: 'zzyzx' }));
  assert.equal(direct.held, undefined);
});

test('streamed text cannot be held, even if a word arrives in two pieces', async () => {
  const { scene, channel } = await stage(['zzyzx', 'hold']);
  const bot = await world.client(scene.server, ['canEditData'], await world.user({ agent: true }));
  const streamed = { channelId: channel.id, streaming: true };
  assertRefused(await bot.post('/messages', { ...streamed, content: 'zzyzx' }), 'FORBIDDEN');
  const { id } = dataOf(await bot.post('/messages', { ...streamed, content: 'On to zz' }));
  const append = (offset: number, text: string) => bot.post(`/messages/${id}/append`, { offset, text });
  assertRefused(await append(8, 'yzx'), 'FORBIDDEN');
  assert.equal(dataOf(await append(8, 'ebra')).offset, 12);
});

test('a server can have 200 rules, all of which apply', async () => {
  const { scene, channel, author, moderator } = await stage(['zzyzx', 'refuse']);
  const path = `/servers/${scene.server.id}/word-rules`;
  for (let count = 1; count < 200; count++)
    dataOf(await moderator.post(path, { pattern: `word${count}`, action: 'refuse' }));
  assertRefused(await moderator.post(path, { pattern: 'surplus', action: 'refuse' }), 'INVALID_REQUEST');
  const send = (content: string) => author.post('/messages', { channelId: channel.id, content });
  dataOf(await send('Hello'));
  for (const content of ['zzyzx', 'word1', 'word199']) assertRefused(await send(content), 'FORBIDDEN');
});

test('a rule change applies to the next message', async () => {
  const given = await stage(['zzyzx', 'refuse']);
  const { scene, channel, author, moderator } = given;
  const path = `/servers/${scene.server.id}/word-rules`;
  const send = (content: string) => author.post('/messages', { channelId: channel.id, content });
  assertRefused(await send('zzyzx'), 'FORBIDDEN');
  const [rule] = dataOf(await moderator.get(path));
  assertRefused(await author.get(path), 'FORBIDDEN');
  dataOf(await moderator.patch(`/word-rules/${rule.id}`, { pattern: 'other' }));
  dataOf(await send('zzyzx'));
  assertRefused(await send('other'), 'FORBIDDEN');
  dataOf(await moderator.delete(`/word-rules/${rule.id}`));
  dataOf(await send('other'));
});

test("the permissions of the key that sent an agent's message apply when the message is approved", async () => {
  const given = await stage(['cheap watch*', 'hold']);
  const { scene } = given;
  const role = await scene.role({ canEditData: true });
  const bot = await world.clientWithRole(scene.server, role, await world.user({ agent: true }));
  const fields = { name: world.unique('hidden'), private: true, roleIds: [role.id] };
  const { id: channelId } = await scene.make('/channels', fields);
  const send = async () => dataOf(await bot.post('/messages', { channelId, content: 'Cheap watches!' }));
  const [first, second, third] = [await send(), await send(), await send()];
  assert.deepEqual([first.held, 'roleId' in first], [true, false]);
  const approve = ({ id }: Json) => scene.admin.post(`/held-messages/${id}/approve`);
  const sent = dataOf(await approve(first));
  assert.deepEqual([sent.creatorId, sent.channelId], [bot.secret.userId, channelId]);
  dataOf(await scene.admin.patch(`/roles/${role.id}`, { canEditData: false }));
  assertRefused(await approve(second), 'FORBIDDEN');
  dataOf(await scene.admin.delete(`/roles/${role.id}`));
  assertRefused(await approve(third), 'NOT_FOUND');
  dataOf(await scene.admin.delete(`/held-messages/${third.id}`));
});

test('a message from an incoming webhook can be approved', async () => {
  const given = await stage(['cheap watch*', 'hold']);
  const { scene, channel } = given;
  const maker = await world.clientWithRole(
    scene.server,
    await scene.role({ canEditApp: true, canEditData: true }),
  );
  const { path } = dataOf(await maker.post('/webhooks', { direction: 'in', channelId: channel.id }));
  const { status, text } = await postTo(world, path, { text: 'Cheap watches!' });
  assert.equal(status, 200, text);
  const [held] = await heldOf(given, scene.admin);
  const sent = dataOf(await scene.admin.post(`/held-messages/${held?.id}/approve`));
  assert.deepEqual([sent.content, sent.creatorId], ['Cheap watches!', held?.creatorId]);
});

test('messages with blocks, and answers to interactions, are refused instead of held', async () => {
  const given = await stage(['cheap watch*', 'hold']);
  const { scene, channel, author } = given;
  const bot = await world.client(scene.server, ['canEditData'], await world.user({ agent: true }));
  const content = 'Cheap watches!';
  const deciders = { userIds: [author.secret.userId] };
  // These actions contain no text, so only the content matches.
  const actions = { type: 'actions', id: 'a1', elements: [{ type: 'date', id: 'when' }], deciders };
  for (const blocks of [[actions], [{ type: 'divider' }], [{ type: 'section', text: 'Fine' }]])
    assertRefused(await bot.post('/messages', { channelId: channel.id, content, blocks }), 'FORBIDDEN');
  const { id: commandId } = dataOf(await bot.post('/commands', { name: world.unique('command') }));
  const made = dataOf(await author.post('/interactions', { commandId, channelId: channel.id }));
  assertRefused(await bot.post(`/interactions/${made.id}/answer`, { content }), 'FORBIDDEN');
  const { state } = dataOf(await author.get(`/interactions/${made.id}`));
  assert.equal(state, 'pending');
  assert.deepEqual(await heldOf(given, given.moderator), []);
  dataOf(await bot.post(`/interactions/${made.id}/answer`, { content: 'Good watches!' }));
});
