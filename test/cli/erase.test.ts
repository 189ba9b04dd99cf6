import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eraseUser } from '../../server/src/cli/people/erase.ts';
import { exportUser } from '../../server/src/cli/people/export.ts';
import { tableNames } from '../../server/src/db/schema.ts';
import { UNNOTICED_MS } from '../support/databases.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { logOf } from '../support/log.ts';
import { gone, Stage, until } from '../support/process.ts';
import { assertFailed, jsonOf } from '../support/remote.ts';
import { Scene } from '../support/scene.ts';
import { change, createKey, createMember, openData, q } from '../support/sources.ts';
import { type Client, type Json, listAll, World } from '../support/world.ts';

const stage = new Stage();
after(() => stage.close());

const WORDS = 'what only she would say';

interface Story {
  world: World;
  scene: Scene;
  user: Json;
  client: Client;
  channel: Json;
  /** A message by the user, and a reply by somebody else in its thread. */
  message: Json;
  reply: Json;
  /** A message from somebody else, to which the user has reacted. */
  other: Json;
}

/** Creates a user who has left data everywhere, in a separate world. */
async function story(t: { after(end: () => Promise<void>): void }): Promise<Story> {
  const world = await World.open();
  t.after(() => world.close());
  const scene = await Scene.open(world);
  const user = await world.user({ username: 'ada.lovelace', name: 'Augusta Ada King' });
  await world.member(scene.server, user);
  const client = await world.client(scene.server, ['canEditData', 'canEditApp', 'canViewData'], user);
  const channel = await scene.channel();
  const post = async (path: string, body: object, by = client, key = world.unique()): Promise<Json> =>
    dataOf(await by.post(path, body, { 'idempotency-key': key }));
  const { id: memberId } = (await listAll(scene.admin, `/servers/${scene.server.id}/members`)).find(
    ({ userId }) => userId === user.id,
  ) as Json;
  dataOf(await client.patch(`/server-members/${memberId}`, { nickname: 'Countess' }));
  const message = await post('/messages', { channelId: channel.id, content: WORDS });
  dataOf(await client.patch(`/messages/${message.id}`, { content: `${WORDS}, twice` }));
  const thread = await post('/threads', { messageId: message.id });
  const reply = await post('/messages', { threadId: thread.id, content: 'An answer' }, scene.admin);
  const other = await post(
    '/messages',
    { channelId: channel.id, content: 'Hello @ada.lovelace' },
    scene.admin,
  );
  await post('/reactions', { messageId: other.id, emoji: '👍' });
  await post('/reactions', { messageId: message.id, emoji: '👍' }, scene.admin);
  await post('/secrets', { kind: 'apiKey', name: 'Augusta Ada King, a script', userId: user.id });
  return { world, scene, user, client, channel, message, reply, other };
}

/** The tables in which a row, or an encrypted response, contains the text. */
async function tablesWith({ data: { db, seal } }: World, text: string): Promise<string[]> {
  const found: string[] = [];
  for (const table of tableNames) {
    const rows = await db.read.all<Json>(q.selectFrom(table).selectAll());
    const plain = rows.map((row) => {
      if (table !== 'idempotency' || row.answer.startsWith('{')) return row;
      return { ...row, answer: seal.open(row.answer, { table, column: 'answer', id: row.scope }) };
    });
    if (JSON.stringify(plain).toLowerCase().includes(text.toLowerCase())) found.push(table);
  }
  return found;
}

async function assertGone({ world, scene, user, client }: Story): Promise<void> {
  for (const text of ['Augusta', 'Countess']) assert.deepEqual(await tablesWith(world, text), [], text);
  await sleep(UNNOTICED_MS);
  assertRefused(await client.get('/servers'), 'INVALID_API_KEY');
  const members = await listAll(scene.admin, `/servers/${scene.server.id}/members`);
  assert.ok(members.every(({ userId }) => userId !== user.id));
  for (const words of ['ada.lovelace', 'Augusta', 'Countess'])
    assert.deepEqual(await listAll(scene.admin, `/servers/${scene.server.id}/members?q=${words}`), []);
  const log = await logOf(world, scene.server.id);
  const ofMember = log.filter(({ data }) => data.userId === user.id && data.user);
  assert.ok(ofMember.length > 2);
  for (const { data } of ofMember) assert.equal(data.user.name, 'Deleted user');
}

test('an erased user is gone, and their messages show a deleted user', async (t) => {
  const told = await story(t);
  const { world, scene, user, message, other, channel } = told;
  const before = await tablesWith(world, 'Augusta');
  for (const table of ['user', 'secret', 'event', 'idempotency'])
    assert.ok(before.includes(table as 'user'), table);
  const erased = await eraseUser(world.data, { username: 'Ada.Lovelace', messages: 'keep' });
  assert.equal(erased.id, user.id);
  assert.deepEqual([erased.servers, erased.messages, erased.reactions], [1, 0, 0]);
  await assertGone(told);
  // Text written by others stays.
  assert.deepEqual(await tablesWith(world, 'ada.lovelace'), ['message']);
  const kept = dataOf(await scene.admin.get(`/messages/${message.id}`));
  assert.deepEqual([kept.content, kept.creatorId], [`${WORDS}, twice`, user.id]);
  assert.equal(dataOf(await scene.admin.get(`/messages/${other.id}`)).reactions[0].count, 1);
  assert.equal((await listAll(scene.admin, `/channels/${channel.id}/messages?q=only`)).length, 1);
  await assert.rejects(
    eraseUser(world.data, { username: 'ada.lovelace', messages: 'keep' }),
    /user "ada.lovelace" does not exist/,
  );
  const fresh = await world.user({ username: 'ada.lovelace' });
  assert.notEqual(fresh.id, user.id, 'the username can be used again');
});

test('deleting the messages with their user removes every trace of them, including reactions', async (t) => {
  const told = await story(t);
  const { world, scene, user, message, reply, other, channel } = told;
  assert.deepEqual(await tablesWith(world, WORDS), ['message', 'messageVersion']);
  const erased = await eraseUser(world.data, { username: 'ada.lovelace', messages: 'delete' });
  assert.deepEqual([erased.messages, erased.reactions], [1, 1]);
  assert.ok(erased.events > 0 && erased.answers > 0);
  await assertGone(told);
  assert.deepEqual(await tablesWith(world, WORDS), []);
  assertRefused(await scene.admin.get(`/messages/${message.id}`), 'NOT_FOUND');
  assert.equal(dataOf(await scene.admin.get(`/messages/${reply.id}`)).content, 'An answer');
  assert.deepEqual(dataOf(await scene.admin.get(`/messages/${other.id}`)).reactions, []);
  assert.deepEqual(await listAll(scene.admin, `/channels/${channel.id}/messages?q=only`), []);
  for (const table of ['notification', 'threadFollower', 'secret', 'serverMember', 'userRole'] as const)
    assert.deepEqual(
      await world.data.db.read.all(q.selectFrom(table).selectAll().where('userId', '=', user.id)),
      [],
    );
  const types = (await logOf(world, scene.server.id)).map(({ type }) => type);
  assert.ok(types.includes('message.deleted') && types.includes('serverMember.deleted'));
});

test('an export contains every row about the user, and no secret', async (t) => {
  const { world, user, client, message } = await story(t);
  const output = join(stage.folder(), 'ada.jsonl');
  const { file, rows } = await exportUser(world.data, { username: 'ada.lovelace', output });
  assert.equal(file, output);
  assert.equal(statSync(file).mode & 0o077, 0);
  const text = readFileSync(file, 'utf8');
  const lines: { table: string; row: Json }[] = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.equal(lines.length, rows);
  const of = (table: string) => lines.filter((line) => line.table === table).map(({ row }) => row);
  assert.deepEqual([of('user')[0].username, of('serverMember')[0].nickname], ['ada.lovelace', 'Countess']);
  assert.deepEqual(
    of('message').map(({ id, content }) => [id, content]),
    [[message.id, `${WORDS}, twice`]],
  );
  for (const table of ['secret', 'userRole', 'thread', 'threadFollower', 'reaction', 'notification'])
    assert.ok(of(table).length > 0, table);
  assert.ok(lines.every(({ row }) => JSON.stringify(row).includes(user.id)));
  assert.ok(!text.includes(client.key) && !text.includes('"digest"') && !text.includes('"sealed"'));
});

test('an erasure that is killed continues at the next call', async () => {
  const folder = stage.folder();
  assert.equal(await (await stage.start(folder)).end(), 0);
  const palaver = (...args: string[]) => stage.run([...args, '--data', folder]);
  const ada = jsonOf(await palaver('user', 'create', '--username', 'ada', '--name', 'Augusta', '--json'));
  const data = await openData(await stage.place(folder));
  const [server] = await data.db.read.all(q.selectFrom('server').select('id'));
  const { key } = await change(data, async (work) => {
    await createMember(work, { server: server?.id as string, user: ada.id });
    return createKey(work, { server: server?.id as string, user: ada.id });
  });
  const place = await stage.place(folder);
  const world = await World.open({ place });
  const [channel] = await data.db.read.all(q.selectFrom('channel').select('id'));
  const send = () => world.as(key).post('/messages', { channelId: channel?.id, content: WORDS });
  for (let count = 0; count < 20; count++) await Promise.all(Array.from({ length: 40 }, send));
  const left = async () =>
    (await data.db.read.all(q.selectFrom('message').select('id').where('creatorId', '=', ada.id))).length;
  assert.equal(await left(), 800);
  const erase = ['user', 'erase', '--username', 'ada', '--messages', 'delete'];
  for (const rest of [600, 300]) {
    const child = await stage.spawn([...erase, '--data', folder]);
    await until(async () => (await left()) <= rest, 60_000, 1);
    child.kill('SIGKILL');
    await gone(child);
    assert.ok((await left()) > 0, 'it was killed midway');
    assertRefused(await send(), 'INVALID_API_KEY');
  }
  const erased = jsonOf(await palaver(...erase, '--json'));
  assert.ok(erased.messages > 0 && erased.messages < 800);
  assert.equal(await left(), 0);
  assert.deepEqual(await tablesWith(world, 'Augusta'), []);
  assert.deepEqual(await tablesWith(world, WORDS), []);
  await world.close();
  await data.db.close();
  assertFailed(await palaver(...erase), /user "ada" does not exist/);
  assertFailed(await palaver('user', 'erase', '--username', 'admin', '--messages', 'some'), /keep or delete/);
  assertFailed(await palaver('user', 'erase', '--username', 'admin'), /--messages/);
  const output = join(folder, 'admin.jsonl');
  assert.equal(
    jsonOf(await palaver('user', 'export', '--username', 'admin', '--output', output, '--json')).file,
    output,
  );
});
