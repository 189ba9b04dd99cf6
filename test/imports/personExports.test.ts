import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { openArchive } from '../../server/src/imports/archive.ts';
import { verified } from '../../server/src/imports/palaver/verify.ts';
import { ArchiveRefused } from '../../server/src/imports/row.ts';
import { dataOf } from '../support/expect.ts';
import { ExportScene, say } from '../support/exportScene.ts';
import { find } from '../support/sources.ts';
import { plainBytes } from '../support/uploads.ts';
import type { Json } from '../support/world.ts';

let stage: ExportScene;
before(async () => {
  stage = await ExportScene.open();
});
after(() => stage.close());

type Rows = Record<string, Json[]>;

/** The rows of an export, by file, after all of its checksums have matched. */
async function rowsIn(path: string): Promise<Rows> {
  const archive = await openArchive(path);
  try {
    await assert.rejects(verified(archive), /a person's export, and undamaged/);
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

test('an export has everything the person wrote and all of their direct messages, with files, earlier versions and reactions', async () => {
  const [ada, bob, eve] = [await stage.member(), await stage.member(), await stage.member()];
  const channel = await stage.scene.channel({ name: 'harbour' });
  const first = await say(ada, channel.id, 'First');
  stage.clock.advance(1_000);
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
  dataOf(await ada.browser.api.post('/reactions', { messageId: toAda.id, emoji: '🎈' }));
  const foreign = dataOf(await bob.browser.api.post('/conversations', { userIds: [eve.user.id] }));
  const secret = await say(bob, foreign.id, 'Only for Eve');
  dataOf(await bob.browser.post('/blocks', { userId: ada.user.id }));

  const { id, messages } = await stage.exported(ada);
  const { path } = await stage.saved(ada, id);
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
  const inOrder = (pairs: string[][] = []) => pairs.map(String).sort();
  assert.deepEqual(
    inOrder(rows.reactions?.map(({ messageId, userId, count }) => [messageId, userId, count])),
    inOrder([
      [first.id, bob.user.id, 1],
      [toAda.id, ada.user.id, 1],
      [others.id, ada.user.id, 1],
    ]),
  );
  assert.deepEqual(rows.servers, [{ id: stage.scene.server.id, name: stage.scene.server.name }]);
  // The owner is listed, because a channel's line contains its creator.
  assert.deepEqual(idsIn(rows.people), [ada.user.id, bob.user.id, stage.scene.owner.id].sort());
  const text = JSON.stringify(rows);
  for (const hidden of ['Deleted', 'of Bob', 'Only for Eve', 'Without Ada', secret.id, silent.id, foreign.id])
    assert.ok(!text.includes(hidden), hidden);
  assert.ok(!rows.account?.some(({ table, row }) => table === 'block' && row.userId !== ada.user.id));
});

test('the account data in an export has the rows of the account export, and the history of exports', async () => {
  const ada = await stage.member();
  const channel = await stage.scene.channel();
  await say(ada, channel.id, 'Hello');
  const { id } = await stage.exported(ada);
  const { path } = await stage.saved(ada, id);
  const rows = await rowsIn(path);
  const response = await fetch(`${stage.world.url}/api/people/export`, {
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
    // The second export adds its own entry to the history.
    else if (table === 'history') assert.equal(count(account, table), count(lines, table) - 1);
    else assert.equal(count(account, table), count(lines, table), table);
  const history = account.filter(({ table }) => table === 'history').map(({ row }) => row.type);
  assert.ok(history.includes('dataExported'));
  const items: Json[] = dataOf(await ada.browser.get('/history'));
  assert.equal(items.filter(({ type }) => type === 'dataExported').length, 2);
  const audited = await stage.world.data.db.read.all(find('audit', { actorId: ada.user.id }));
  assert.equal(audited.filter(({ command }) => command === 'account export').length, 2);
});

test('for channels that the person can no longer see, an export has only their own messages, without names', async () => {
  const [ada, bob] = [await stage.member(), await stage.member()];
  const role = await stage.scene.role({ name: 'crew' });
  const made = [];
  for (const { user } of [ada, bob])
    made.push(await stage.scene.make('/user-roles', { userId: user.id, roleId: role.id }));
  const hidden = await stage.scene.channel({ name: 'captains-only', private: true, roleIds: [role.id] });
  const own = await say(ada, hidden.id, 'What I said');
  await say(bob, hidden.id, 'What Bob said');
  dataOf(await bob.browser.api.post('/reactions', { messageId: own.id, emoji: '👍' }));
  dataOf(await ada.browser.api.post('/reactions', { messageId: own.id, emoji: '👍' }));
  const dm = dataOf(await bob.browser.api.post('/conversations', { userIds: [ada.user.id] }));
  await say(bob, dm.id, 'Private words of Bob');
  const inDm = await say(ada, dm.id, 'My private words');
  await stage.scene.remove(`/user-roles/${made[0]?.id}`);

  const before = await rowsIn((await stage.saved(ada, (await stage.exported(ada)).id)).path);
  assert.deepEqual(
    before.channels?.map(({ id, name, memberIds }) => [id, name, memberIds]),
    [[hidden.id, null, []]],
  );
  assert.deepEqual(
    before.reactions?.map(({ userId, count }) => [userId, count]),
    [[ada.user.id, 1]],
  );
  assert.equal(before.messages?.length, 3);

  const members: Json[] = dataOf(
    await stage.scene.admin.get(`/servers/${stage.scene.server.id}/members?limit=100`),
  );
  await stage.scene.remove(`/server-members/${members.find(({ userId }) => userId === ada.user.id)?.id}`);
  const rows = await rowsIn((await stage.saved(ada, (await stage.exported(ada)).id)).path);
  assert.deepEqual(idsIn(rows.messages), idsIn([own, inDm]));
  assert.deepEqual(rows.servers, [{ id: stage.scene.server.id, name: null }]);
  assert.ok(!/captains-only|Bob|crew/.test(JSON.stringify(rows)));
});

test('an export has files and pictures, and the import rejects it if a byte was changed', async () => {
  const ada = await stage.member();
  const channel = await stage.scene.channel();
  const form = new FormData();
  form.append('channelId', channel.id);
  form.append('file', new File([plainBytes(5_000)], 'chart.bin'));
  const uploaded = await fetch(`${stage.world.url}/api/v1/attachments`, {
    method: 'POST',
    body: form,
    headers: { 'palaver-server': stage.scene.server.id, cookie: ada.browser.cookie },
  });
  const attachment = ((await uploaded.json()) as Json).data;
  await say(ada, channel.id, 'The chart', { attachmentIds: [attachment.id] });
  const { id } = await stage.exported(ada);
  const { path, bytes } = await stage.saved(ada, id);
  const rows = await rowsIn(path);
  assert.deepEqual(
    rows.files?.map((row) => [row.id, row.name, row.bytes]),
    [[attachment.id, 'chart.bin', 5_000]],
  );
  const part = await stage.download(ada, id, { range: 'bytes=100-199' });
  assert.equal(part.status, 206);
  assert.deepEqual(Buffer.from(await part.arrayBuffer()), bytes.subarray(100, 200));

  const archive = await openArchive(path);
  const place = join(stage.folder, 'unpacked');
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
