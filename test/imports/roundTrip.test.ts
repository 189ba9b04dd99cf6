import assert from 'node:assert/strict';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openArchive } from '../../server/src/imports/archive.ts';
import { verified } from '../../server/src/imports/palaver/verify.ts';
import { ArchiveRefused } from '../../server/src/imports/row.ts';
import { dataOf } from '../support/expect.ts';
import { randomFrom } from '../support/fuzzedFiles.ts';
import { filesIn, lineFiles, moving } from '../support/moving.ts';
import { png } from '../support/pictures.ts';
import { Stage } from '../support/process.ts';
import { content, plainBytes, upload } from '../support/uploads.ts';
import { type Client, type Json, World } from '../support/world.ts';

// Exports a server, imports it on a second instance, and exports it again.

/** The number of archives, each with one byte changed at a random position. */
const CHANGED_BYTES = 300;

const stage = new Stage();
let world: World;
let other: World;
let server: Json;
let admin: Client;
let first: string;
/** The records that were sent. */
const sent: Json = {};

before(async () => {
  world = await World.open();
  other = await World.open();
  const ada = await world.user({ username: 'ada', name: 'Ada' });
  server = await world.server(ada, 'Harbour');
  admin = await world.client(server, ['canAdmin'], ada);
  const bob = await world.client(server, ['canEditData'], await world.user({ username: 'bob', name: 'Bób' }));
  const post = async (client: Client, path: string, body: object) => dataOf(await client.post(path, body));
  const category = await post(admin, '/categories', { name: 'Work' });
  sent.general = await post(admin, '/channels', {
    name: 'general',
    description: 'All',
    categoryId: category.id,
  });
  const role = await post(admin, '/roles', { name: 'Crew' });
  const { data: me } = await bob.get('/users/me');
  await post(admin, '/user-roles', { userId: me.id, roleId: role.id });
  sent.crew = await post(admin, '/channels', {
    name: 'crew',
    private: true,
    roleIds: [role.id],
    readonly: true,
  });
  const channelId = sent.general.id;
  sent.hello = await post(admin, '/messages', { channelId, content: 'Hello **@bob**' });
  dataOf(await admin.patch(`/messages/${sent.hello.id}`, { content: 'Hello again' }));
  sent.answer = await post(bob, '/messages', { channelId, content: 'Hi', replyToId: sent.hello.id });
  const thread = await post(bob, '/threads', { messageId: sent.hello.id, name: 'Greetings' });
  sent.thread = thread;
  await post(admin, '/messages', { threadId: thread.id, content: 'in the thread' });
  await post(admin, '/messages', { channelId: sent.crew.id, content: 'only for the crew' });
  for (const client of [admin, bob])
    await post(client, '/reactions', { messageId: sent.hello.id, emoji: '👍' });
  await post(bob, '/reactions', { messageId: sent.hello.id, emoji: ':anchor:' });
  await post(admin, '/pins', { messageId: sent.answer.id });
  const image = await upload(world, admin, Buffer.from(png(40, 30)), 'photo.png');
  const twin = await upload(world, bob, plainBytes(5_000), 'a ü.txt');
  const files = [dataOf(image), dataOf(await upload(world, admin, plainBytes(5_000), 'b.txt'))];
  sent.files = files;
  await post(admin, '/messages', { channelId, content: '', attachmentIds: files.map(({ id }: Json) => id) });
  await post(bob, '/messages', { channelId, content: 'same bytes', attachmentIds: [dataOf(twin).id] });
  const form = { path: '/emoji', fields: { name: 'anchor' } };
  dataOf(await upload(world, admin, Buffer.from(png(20, 20)), 'e.png', form));
  const agent = await world.client(
    server,
    ['canEditData'],
    await world.user({ username: 'robot', agent: true }),
  );
  sent.dm = await post(agent, '/conversations', { userIds: [me.id] });
  await post(agent, '/messages', { channelId: sent.dm.id, content: 'between two' });
  first = join(stage.folder(), 'export');
  const made = await moving(stage, world, 'export', first, '--server', server.id);
  assert.equal(made.code, 0, made.stderr);
});
after(async () => {
  await Promise.all([world.close(), other.close()]);
  await stage.close();
});

const linesOf = (folder: string, name: string): Json[] =>
  readFileSync(join(folder, `${name}.jsonl`), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

test('an export contains every row of the server once, and no direct messages', () => {
  const counts = Object.fromEntries(lineFiles.map((name) => [name, linesOf(first, name).length]));
  assert.deepEqual(counts, {
    ...{ people: 3, emoji: 1, channels: 2, conversations: 0, threads: 1, messages: 6, replies: 2 },
    ...{ reactions: 3, pins: 1, files: 3 },
  });
  const [hello] = linesOf(first, 'messages');
  assert.equal(hello.content, 'Hello again');
  assert.ok(hello.editedAt > hello.createdAt);
  const text = [...filesIn(first)].map(([, bytes]) => bytes.toString('latin1')).join('');
  assert.ok(!text.includes('between two'));
  const paths = linesOf(first, 'files').map(({ path }) => path);
  assert.equal(new Set(paths).size, 2, 'identical files are stored once');
});

test('an import reports the rows it writes, like its dry run, and the second export equals the first', async () => {
  const owner = await other.user({ username: 'boss' });
  const into = ['import', first, '--from', 'palaver', '--new-server', 'Copy', '--owner', 'boss'];
  const planned = await moving(stage, other, ...into, '--dry-run');
  assert.equal(planned.code, 0, planned.stderr);
  const client = await other.client(await other.server(owner), ['canAdmin'], owner);
  assert.equal(
    (await client.get(`/servers/${planned.report.server}`)).status,
    404,
    'a dry run writes nothing',
  );
  const done = await moving(stage, other, ...into);
  assert.equal(done.code, 0, done.stderr);
  assert.deepEqual(done.report, planned.report);
  const { server: id, ...kinds } = done.report;
  sent.copy = id;
  const written = Object.entries(kinds).map(([kind, counts]) => {
    const { found, written, present, lost, reasons } = counts as Json;
    assert.deepEqual([present, lost, found, reasons], [0, 0, written, []], kind);
    return [kind, written];
  });
  assert.deepEqual(Object.fromEntries(written), {
    ...{ people: 3, channels: 2, conversations: 0, messages: 6, replies: 2, reactions: 3, pins: 1 },
    ...{ files: 3, emoji: 1 },
  });
  const second = join(stage.folder(), 'export');
  assert.equal((await moving(stage, other, 'export', second, '--server', id)).code, 0);
  const [one, two] = [filesIn(first), filesIn(second)];
  assert.deepEqual([...two.keys()], [...one.keys()]);
  for (const [path, bytes] of one)
    if (!path.startsWith('manifest.')) assert.deepEqual(two.get(path), bytes, path);
  const [{ date: _, ...before }, { date: __, ...now }] = [one, two].map((files) =>
    JSON.parse(String(files.get('manifest.json'))),
  );
  assert.deepEqual(now, before);

  const again = await moving(stage, other, ...into);
  assert.equal(again.code, 0, again.stderr);
  for (const [kind, counts] of Object.entries(again.report))
    if (kind !== 'server') assert.equal((counts as Json).written, 0, kind);
  const third = join(stage.folder(), 'export');
  assert.equal((await moving(stage, other, 'export', third, '--server', id)).code, 0);
  assert.deepEqual(filesIn(third).get('messages.jsonl'), one.get('messages.jsonl'));
});

test('imported history is shown as in the original', async () => {
  const boss = await other.client({ id: sent.copy }, ['canAdmin']);
  const { data: message } = await boss.get(`/messages/${sent.hello.id}`);
  assert.deepEqual([message.content, message.reactions.length, message.pinned], ['Hello again', 2, false]);
  const { data: thread } = await boss.get(`/threads/${sent.thread.id}`);
  assert.deepEqual([thread.name, thread.replyCount, thread.messages.length], ['Greetings', 1, 1]);
  const { data: pinned } = await boss.get(`/channels/${sent.general.id}/pins`);
  assert.deepEqual(
    pinned.map(({ id }: Json) => id),
    [sent.answer.id],
  );
  const [image, text] = sent.files;
  assert.deepEqual((await content(other, boss, text.id)).bytes, plainBytes(5_000));
  assert.deepEqual(
    (await content(other, boss, image.id)).bytes,
    (await content(world, admin, image.id)).bytes,
  );
  const { data: emoji } = await boss.get(`/servers/${sent.copy}/emoji`);
  assert.deepEqual(
    emoji.map(({ name }: Json) => name),
    ['anchor'],
  );
  const plain = await other.client({ id: sent.copy }, ['canEditData', 'canViewData']);
  const { data: channels } = await plain.get(`/servers/${sent.copy}/channels`);
  assert.deepEqual(
    channels.map(({ name }: Json) => name),
    ['general'],
    'the private channel stays private',
  );
});

test('a copy in the same installation gets new ids, and keeps the same people', async () => {
  const done = await moving(
    ...([stage, world, 'import', first, '--from', 'palaver'] as const),
    ...['--new-server', 'Twin', '--owner', 'ada'],
  );
  assert.equal(done.code, 0, done.stderr);
  const { people, messages, channels } = done.report;
  assert.deepEqual([people.present, messages.written, channels.written], [3, 6, 2]);
  assert.equal((await admin.get(`/messages/${sent.hello.id}`)).data.serverId, server.id);
  const twin = join(stage.folder(), 'export');
  assert.equal((await moving(stage, world, 'export', twin, '--server', done.report.server)).code, 0);
  assert.equal(linesOf(twin, 'messages').length, 6);
});

test('an export with one changed byte is rejected, and none of it is written', async () => {
  const owner = (await other.user({ username: 'lou' })).username;
  for (const [path, bytes] of filesIn(first)) {
    if (bytes.length === 0) continue;
    const folder = join(stage.folder(), 'changed');
    cpSync(first, folder, { recursive: true });
    const changed = Buffer.from(bytes);
    const at = Math.floor(bytes.length / 2);
    changed[at] = (changed[at] as number) ^ 1;
    writeFileSync(join(folder, path), changed);
    const refused = await moving(
      ...([stage, other, 'import', folder, '--from', 'palaver'] as const),
      ...['--new-server', 'Refused', '--owner', owner],
    );
    assert.notEqual(refused.code, 0, path);
    assert.match(refused.stderr, /was changed or damaged/, path);
  }
  const all = await moving(stage, other, 'server', 'list');
  assert.ok(!JSON.stringify(all).includes('Refused'));
});

test('a byte that was changed anywhere in an export is found', async () => {
  const folder = join(stage.folder(), 'changed');
  cpSync(first, folder, { recursive: true });
  const files = [...filesIn(first)].filter(([, bytes]) => bytes.length > 0);
  const random = randomFrom(Number(process.env.PALAVER_TEST_SEED ?? 1));
  for (let count = 0; count < CHANGED_BYTES; count++) {
    const [path, bytes] = files[random(files.length)] as [string, Buffer];
    const at = random(bytes.length);
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] as number) ^ (1 << random(8));
    writeFileSync(join(folder, path), changed);
    const archive = await openArchive(folder);
    await assert.rejects(verified(archive), ArchiveRefused, `byte ${at} of ${path}`);
    await archive.close();
    writeFileSync(join(folder, path), bytes);
  }
  await verified(await openArchive(folder));
});

test('an export of a channel contains only that channel', async () => {
  const folder = join(stage.folder(), 'export');
  const made = await moving(stage, world, 'export', folder, '--server', server.id, '--channel', sent.crew.id);
  assert.equal(made.code, 0, made.stderr);
  assert.deepEqual([linesOf(folder, 'channels').length, linesOf(folder, 'messages').length], [1, 1]);
  const none = await moving(
    stage,
    world,
    'export',
    join(stage.folder(), 'x'),
    '--server',
    server.id,
    '--channel',
    sent.dm.id,
  );
  assert.match(none.stderr, /channel does not exist/);
});
