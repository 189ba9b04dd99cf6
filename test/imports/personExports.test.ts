import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { openArchive } from '../../server/src/imports/archive.ts';
import { exportPerson } from '../../server/src/imports/export/person.ts';
import { verified } from '../../server/src/imports/palaver/verify.ts';
import { ArchiveRefused } from '../../server/src/imports/row.ts';
import { Browser, invited } from '../support/account.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { moving } from '../support/moving.ts';
import { Stage, until } from '../support/process.ts';
import { Scene } from '../support/scene.ts';
import { find } from '../support/sources.ts';
import { plainBytes } from '../support/uploads.ts';
import { type Json, TestClock, World } from '../support/world.ts';

const DAY_MS = 24 * 60 * 60_000;

const stage = new Stage();
const clock = new TestClock();
let world: World;
let scene: Scene;
let owner: Browser;
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palaver-person-'));
  world = await World.open({ clock, limits: { '*': 0 }, timers: true });
  scene = await Scene.open(world);
  owner = await Browser.of(world, scene.owner, scene.server);
});
after(async () => {
  await world.close();
  await stage.close();
  await rm(folder, { recursive: true, force: true });
});

interface Person {
  user: Json;
  browser: Browser;
}

/** A person with an account, who is a member of the scene's server. */
async function member(): Promise<Person> {
  const user = await world.user();
  const browser = await Browser.claimed(world, user);
  await invited(owner, browser, user.id);
  browser.place = scene.server.id;
  return { user, browser };
}

const say = async ({ browser }: Person, channelId: string, content: string, more: object = {}) =>
  dataOf(await browser.api.post('/messages', { channelId, content, ...more }));

async function exported({ browser }: Person): Promise<Json> {
  const { id } = dataOf(await browser.post('/exports'));
  let found: Json = {};
  await until(async () => {
    await world.node.clock?.look();
    found = dataOf(await browser.get(`/exports/${id}`));
    return found.state !== 'running';
  });
  assert.equal(found.state, 'done');
  return found;
}

const download = ({ browser }: Person, id: string, headers: Record<string, string> = {}) =>
  fetch(`${world.url}/api/people/exports/${id}/content`, {
    headers: { 'palaver-server': 'none', cookie: browser.cookie, ...headers },
  });

let number = 0;
async function saved(person: Person, id: string): Promise<{ path: string; bytes: Buffer }> {
  const path = join(folder, `${number++}.zip`);
  const bytes = Buffer.from(await (await download(person, id)).arrayBuffer());
  writeFileSync(path, bytes);
  return { path, bytes };
}

type Rows = Record<string, Json[]>;

/** The rows of an export, by file, after all of its checksums have matched. */
async function rowsIn(path: string): Promise<Rows> {
  const archive = await openArchive(path);
  try {
    await assert.rejects(verified(archive), /export of a person, and undamaged/);
    const rows: Rows = {};
    for (const name of archive.paths.filter((each) => each.endsWith('.jsonl'))) {
      const text = Buffer.concat(await Array.fromAsync(await archive.open(name))).toString();
      rows[name.slice(0, -6)] = text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    }
    return rows;
  } finally {
    await archive.close();
  }
}

const idsIn = (rows: readonly Json[] | undefined): string[] => (rows ?? []).map(({ id }) => id).sort();

test('an export has what its person wrote and all of their direct messages, with files, earlier texts and reactions', async () => {
  const [ada, bob, eve] = [await member(), await member(), await member()];
  const channel = await scene.channel({ name: 'harbour' });
  const first = await say(ada, channel.id, 'First');
  clock.advance(1_000);
  dataOf(await ada.browser.api.patch(`/messages/${first.id}`, { content: 'Second' }));
  dataOf(await bob.browser.api.post('/reactions', { messageId: first.id, emoji: '👍' }));
  const others = await say(bob, channel.id, 'of Bob');
  dataOf(await ada.browser.api.post('/reactions', { messageId: others.id, emoji: '🎉' }));
  const thread = dataOf(await bob.browser.api.post('/threads', { messageId: others.id, name: 'Boats' }));
  const reply = dataOf(await ada.browser.api.post('/messages', { threadId: thread.id, content: 'Aye' }));
  const silent = dataOf(
    await bob.browser.api.post('/threads', {
      messageId: (await say(bob, channel.id, 'more')).id,
      name: 'Without Ada',
    }),
  );
  const gone = await say(ada, channel.id, 'Deleted');
  dataOf(await ada.browser.api.delete(`/messages/${gone.id}`));
  const dm = dataOf(await bob.browser.api.post('/conversations', { userIds: [ada.user.id] }));
  const toAda = await say(bob, dm.id, 'Only for Ada');
  const toBob = await say(ada, dm.id, 'Only for Bob');
  const foreign = dataOf(await bob.browser.api.post('/conversations', { userIds: [eve.user.id] }));
  const secret = await say(bob, foreign.id, 'Only for Eve');
  dataOf(await bob.browser.post('/blocks', { userId: ada.user.id }));

  const { id, messages } = await exported(ada);
  const { path } = await saved(ada, id);
  const rows = await rowsIn(path);
  assert.deepEqual(idsIn(rows.messages), idsIn([first, reply, toAda, toBob]));
  assert.equal(messages, 4);
  assert.deepEqual(idsIn(rows.channels), [channel.id]);
  assert.equal(rows.channels?.[0]?.name, 'harbour');
  assert.deepEqual(
    rows.conversations?.map((row) => [row.id, [...row.memberIds].sort()]),
    [[dm.id, [ada.user.id, bob.user.id].sort()]],
  );
  assert.deepEqual(idsIn(rows.threads), [thread.id]);
  assert.deepEqual(
    rows.versions?.map(({ messageId, content }) => [messageId, content]),
    [[first.id, 'First']],
  );
  assert.deepEqual(
    rows.reactions?.map(({ messageId, userId }) => [messageId, userId]),
    [[first.id, bob.user.id]],
  );
  assert.deepEqual(rows.servers, [{ id: scene.server.id, name: scene.server.name }]);
  // The creator of a channel is in its line.
  assert.deepEqual(idsIn(rows.people), [ada.user.id, bob.user.id, scene.owner.id].sort());
  const text = JSON.stringify(rows);
  for (const hidden of ['Deleted', 'of Bob', 'Only for Eve', 'Without Ada', secret.id, silent.id, foreign.id])
    assert.ok(!text.includes(hidden), hidden);
  assert.ok(!rows.account?.some(({ table, row }) => table === 'block' && row.userId !== ada.user.id));
});

test('the account in an export has the rows of the export without files, and the history of exports', async () => {
  const ada = await member();
  const channel = await scene.channel();
  await say(ada, channel.id, 'Hello');
  const { id } = await exported(ada);
  const { path } = await saved(ada, id);
  const rows = await rowsIn(path);
  const response = await fetch(`${world.url}/api/people/export`, {
    headers: { 'palaver-server': 'none', cookie: ada.browser.cookie },
  });
  const lines = (await response.text())
    .split('\n')
    .filter(Boolean)
    .map((line): Json => JSON.parse(line));
  const count = (all: readonly Json[], table: string) => all.filter((line) => line.table === table).length;
  const tables = new Set(lines.map(({ table }) => table as string));
  assert.ok(tables.size > 5);
  const account = rows.account ?? [];
  for (const table of tables)
    if (table === 'message') assert.equal(rows.messages?.length, count(lines, table));
    // The second export has an entry of its own.
    else if (table === 'history') assert.equal(count(account, table), count(lines, table) - 1);
    else assert.equal(count(account, table), count(lines, table), table);
  const history = account.filter(({ table }) => table === 'history').map(({ row }) => row.type);
  assert.ok(history.includes('dataExported'));
  const items: Json[] = dataOf(await ada.browser.get('/history'));
  assert.equal(items.filter(({ type }) => type === 'dataExported').length, 2);
  const audited = await world.data.db.read.all(find('audit', { actorId: ada.user.id }));
  assert.equal(audited.filter(({ command }) => command === 'account export').length, 2);
});

test('of places that a person no longer sees, an export has only their own messages, without names', async () => {
  const [ada, bob] = [await member(), await member()];
  const role = await scene.role({ name: 'crew' });
  const made = [];
  for (const { user } of [ada, bob])
    made.push(await scene.make('/user-roles', { userId: user.id, roleId: role.id }));
  const hidden = await scene.channel({ name: 'captains-only', private: true, roleIds: [role.id] });
  const own = await say(ada, hidden.id, 'What I said');
  await say(bob, hidden.id, 'What Bob said');
  dataOf(await bob.browser.api.post('/reactions', { messageId: own.id, emoji: '👍' }));
  dataOf(await ada.browser.api.post('/reactions', { messageId: own.id, emoji: '👍' }));
  const dm = dataOf(await bob.browser.api.post('/conversations', { userIds: [ada.user.id] }));
  await say(bob, dm.id, 'Private words of Bob');
  const inDm = await say(ada, dm.id, 'My private words');
  await scene.remove(`/user-roles/${made[0]?.id}`);

  const before = await rowsIn((await saved(ada, (await exported(ada)).id)).path);
  assert.deepEqual(
    before.channels?.map(({ id, name, memberIds }) => [id, name, memberIds]),
    [[hidden.id, null, []]],
  );
  assert.deepEqual(
    before.reactions?.map(({ userId, count }) => [userId, count]),
    [[ada.user.id, 1]],
  );
  assert.equal(before.messages?.length, 3);

  const members: Json[] = dataOf(await scene.admin.get(`/servers/${scene.server.id}/members?limit=100`));
  await scene.remove(`/server-members/${members.find(({ userId }) => userId === ada.user.id)?.id}`);
  const rows = await rowsIn((await saved(ada, (await exported(ada)).id)).path);
  assert.deepEqual(idsIn(rows.messages), idsIn([own, inDm]));
  assert.deepEqual(rows.servers, [{ id: scene.server.id, name: null }]);
  assert.ok(!/captains-only|Bob|crew/.test(JSON.stringify(rows)));
});

test('files and pictures are in an export, and of a changed byte, the import refuses it', async () => {
  const ada = await member();
  const channel = await scene.channel();
  const form = new FormData();
  form.append('channelId', channel.id);
  form.append('file', new File([plainBytes(5_000)], 'chart.bin'));
  const uploaded = await fetch(`${world.url}/api/v1/attachments`, {
    method: 'POST',
    body: form,
    headers: { 'palaver-server': scene.server.id, cookie: ada.browser.cookie },
  });
  const attachment = ((await uploaded.json()) as Json).data;
  await say(ada, channel.id, 'The chart', { attachmentIds: [attachment.id] });
  const { id } = await exported(ada);
  const { path, bytes } = await saved(ada, id);
  const rows = await rowsIn(path);
  assert.deepEqual(
    rows.files?.map((row) => [row.id, row.name, row.bytes]),
    [[attachment.id, 'chart.bin', 5_000]],
  );
  const part = await download(ada, id, { range: 'bytes=100-199' });
  assert.equal(part.status, 206);
  assert.deepEqual(Buffer.from(await part.arrayBuffer()), bytes.subarray(100, 200));

  const archive = await openArchive(path);
  const place = join(folder, 'unpacked');
  for (const name of archive.paths) {
    mkdirSync(dirname(join(place, name)), { recursive: true });
    writeFileSync(join(place, name), Buffer.concat(await Array.fromAsync(await archive.open(name))));
  }
  for (const name of archive.paths) {
    const content = readFileSync(join(place, name));
    if (content.length === 0) continue;
    const damaged = Buffer.from(content);
    const at = Math.floor(content.length / 2);
    damaged[at] = (damaged[at] as number) ^ 1;
    writeFileSync(join(place, name), damaged);
    await assert.rejects(
      async () => verified(await openArchive(place)),
      (error: Error) => error instanceof ArchiveRefused && /changed or damaged/.test(error.message),
      name,
    );
    writeFileSync(join(place, name), content);
  }
});

test('the command exports a person by username, is recorded, and import says what such an export is', async () => {
  const ada = await member();
  await say(ada, (await scene.channel()).id, 'By command');
  const place = join(folder, 'by-command');
  const made = await moving(stage, world, 'export', place, '--user', ada.user.username);
  assert.deepEqual([made.code, made.report?.counts.messages], [0, 1], made.stderr);
  const recorded = await world.data.db.read.all(find('audit', { command: 'export' }));
  assert.deepEqual(recorded.at(-1)?.about, { userId: ada.user.id });
  const into = ['--from', 'palaver', '--server', scene.server.id, '--dry-run'];
  const refused = await moving(stage, world, 'import', place, ...into);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /export of a person, and undamaged/);
  for (const wrong of [[], ['--server', scene.server.id, '--user', 'ada'], ['--user', 'nobody-here']])
    assert.equal((await moving(stage, world, 'export', join(folder, 'none'), ...wrong)).code, 1);
});

test('an export that is interrupted at every page equals an unbroken one, also while people write', async () => {
  const ada = await member();
  const [channel, other] = [await scene.channel(), await scene.channel()];
  const thread = dataOf(
    await ada.browser.api.post('/threads', {
      messageId: (await say(ada, channel.id, 'Start')).id,
      name: 'Long',
    }),
  );
  for (let count = 0; count < 520; count++)
    dataOf(await ada.browser.api.post('/messages', { threadId: thread.id, content: `Reply ${count}` }));
  await say(ada, other.id, 'Elsewhere');
  const { db, deps, files } = world.data;
  const fixed = deps.newId();
  const given = { db: db.read, files, userId: ada.user.id, now: () => 0, newId: () => fixed };
  const whole = join(folder, 'whole');
  await exportPerson({ ...given, folder: whole });
  await say(ada, other.id, 'Written meanwhile');

  const broken = join(folder, 'broken');
  let attempts = 0;
  for (let isDone = false; !isDone; attempts++) {
    let steps = 0;
    try {
      await exportPerson({
        ...given,
        folder: broken,
        onProgress() {
          if (++steps === 2) throw new Error('interrupted');
        },
      });
      isDone = true;
    } catch (error) {
      assert.equal((error as Error).message, 'interrupted');
    }
  }
  assert.ok(attempts > 10);
  const namesIn = (place: string) => readdirSync(place, { recursive: true }).map(String).sort();
  const texts = (place: string) =>
    ['messages', 'threads', 'replies', 'channels', 'people'].map((name) =>
      readFileSync(join(place, `${name}.jsonl`), 'utf8'),
    );
  assert.deepEqual(namesIn(broken), namesIn(whole));
  assert.deepEqual(texts(broken), texts(whole));
  assert.equal(texts(whole)[1]?.split('\n').filter(Boolean).length, 1);
  await assert.rejects(exportPerson({ ...given, folder: whole }), /is not empty/);
});

test('exports belong to their person, need a confirmed identity, and are bounded', async () => {
  const [ada, bob] = [await member(), await member()];
  const { id } = await exported(ada);
  assertRefused(await bob.browser.get(`/exports/${id}`), 'NOT_FOUND');
  assertRefused(await bob.browser.delete(`/exports/${id}`), 'NOT_FOUND');
  assert.equal((await download(bob, id)).status, 404);
  assert.equal((await fetch(`${world.url}/api/people/exports/${id}/content`)).status, 401);
  const withKey = { authorization: `Bearer ${scene.admin.key}` };
  assert.equal(
    (await fetch(`${world.url}/api/people/exports/${id}/content`, { headers: withKey })).status,
    401,
  );

  const running = dataOf(await ada.browser.post('/exports'));
  const second = await ada.browser.post('/exports');
  assertRefused(second, 'INVALID_REQUEST');
  assert.match(second.body.error.message, /in progress/);
  dataOf(await ada.browser.delete(`/exports/${running.id}`));
  await exported(ada);
  // Deleted ones count.
  const fourth = await ada.browser.post('/exports');
  assertRefused(fourth, 'INVALID_REQUEST');
  assert.match(fourth.body.error.message, /3 exports/);
  const { length } = dataOf(await ada.browser.get('/exports')) as Json[];
  assert.equal(length, 2);

  clock.advance(11 * 60_000);
  assertRefused(await ada.browser.post('/exports'), 'FORBIDDEN');
  assert.equal((await download(ada, id)).status, 403);
  dataOf(await ada.browser.delete(`/exports/${id}`));
  await world.tidy();
  assert.equal(await (await world.data.files.store).sizeOf(id), undefined);
  assertRefused(await ada.browser.get(`/exports/${id}`), 'NOT_FOUND');
});

test('an export that is a week old, or whose account was closed, leaves no file', async () => {
  const [ada, bob] = [await member(), await member()];
  const [old, closed] = [await exported(ada), await exported(bob)];
  dataOf(await bob.browser.post('/close', { username: bob.user.username, messages: 'keep' }));
  clock.advance(8 * DAY_MS);
  await world.tidy();
  const store = await world.data.files.store;
  for (const { id } of [old, closed]) {
    assert.equal(await store.sizeOf(id), undefined);
    assert.equal(await world.data.db.read.first(find('personExport', { id })), undefined);
  }
});
