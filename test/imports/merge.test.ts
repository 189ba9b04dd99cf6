import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accountOf, linkFor } from '../support/account.ts';
import { dataOf } from '../support/expect.ts';
import { type MergeScene, openMergeScene } from '../support/mergeScene.ts';
import { idAt } from '../support/moving.ts';
import { find, insert, update } from '../support/sources.ts';
import { type Json, listAll, World } from '../support/world.ts';

// Imported people without an account, and the accounts that claim them.

const now = Date.now();
let on: MergeScene;
before(async () => {
  on = await openMergeScene();
});
after(() => on.close());

test('signing up with a verified address claims the history of that address', async () => {
  const { grace, linus, server, admin, pier, den, dm, again } = await on.scene();
  assert.equal((await on.rowOf(grace.id))?.accountId, null);
  await on.setEmail(grace.id, 'ada.1@example.org');
  const members = dataOf(await admin.get(`/servers/${server.id}`)).memberCount;
  const { browser, user } = await on.signedUp('ada.1@example.org');
  const claimed = await on.rowOf(grace.id);
  assert.deepEqual([claimed?.accountId, claimed?.email], [user.id, null]);
  assert.ok((await on.merged()) > 3, 'in several writes');
  assert.deepEqual(await on.left(grace.id), []);
  browser.place = server.id;
  assert.deepEqual(await on.authors(browser.api, pier), new Set([user.id, linus.id]));
  assert.deepEqual(await on.authors(browser.api, den), new Set([user.id]));
  assert.deepEqual(await on.authors(browser.api, dm), new Set([user.id, linus.id]));
  assert.equal(dataOf(await admin.get(`/servers/${server.id}`)).memberCount, members);
  const { data: events } = (await admin.get('/events?wait=0&limit=100')).body;
  const first = events.findIndex(({ type }: Json) => type === 'import.finished');
  assert.deepEqual(
    events.slice(first + 1).map(({ type, data }: Json) => [type, data.source, data.messages]),
    [['import.finished', 'palaver', 0]],
    'one event',
  );
  const repeated = await again();
  assert.equal(repeated.code, 0, repeated.stderr);
  assert.deepEqual([repeated.report.people.present, repeated.report.messages.written], [2, 0]);
  assert.equal(await on.turn(), false, 'nothing to merge');
});

test('an address that is verified later also claims history, and search finds what the account may read', async () => {
  const { grace, server, dm } = await on.scene();
  const { browser, user } = await accountOf(on.world);
  browser.place = server.id;
  await on.setEmail(grace.id, 'ada.2@example.org');
  const { token } = await linkFor(on.world, user, 'email', 'ada.2@example.org');
  dataOf(await browser.post('/email/verify', { token }));
  assert.equal((await on.rowOf(grace.id))?.accountId, user.id);
  await on.merged();
  assert.deepEqual(await on.left(grace.id), []);
  const found = async (query: string) =>
    dataOf(await browser.api.get(`/${query}q=mooring&limit=10`)).map(({ id }: Json) => id);
  assert.equal((await found(`channels/${dm}/messages?`)).length, 2, "including the other member's messages");
  assert.equal((await found(`servers/${server.id}/messages?creatorId=${grace.id}&`)).length, 0);
});

test("a suspended person's or a platform admin's address claims nothing", async () => {
  const { grace, linus } = await on.scene();
  await on.setEmail(grace.id, 'ada.3@example.org');
  await on.setEmail(linus.id, 'ada.3@example.org');
  await on.world.data.db.write((tx) => tx.run(update('user', grace.id, { suspendedAt: now })));
  await on.world.data.db.write((tx) => tx.run(update('user', linus.id, { platformAdmin: true })));
  await on.signedUp('ada.3@example.org');
  assert.deepEqual(
    [(await on.rowOf(grace.id))?.accountId, (await on.rowOf(linus.id))?.accountId],
    [null, null],
  );
});

test('duplicates are kept once, and counts stay correct', async () => {
  const { rows, grace, linus, server, admin, pier, den } = await on.scene();
  const { browser, user } = await accountOf(on.world);
  browser.place = server.id;
  await on.world.member(server, user);
  const [first] = rows.messages as [Json];
  dataOf(await browser.api.post('/reactions', { messageId: first.id, emoji: '👍' }));
  const own = dataOf(await browser.api.post('/conversations', { userIds: [linus.id] }));
  dataOf(await browser.api.post('/messages', { channelId: own.id, content: 'native' }));
  const both = dataOf(await browser.api.post('/conversations', { userIds: [grace.id] }));
  const strict = dataOf(await admin.post('/roles', { name: 'Strict', canModerate: true }));
  dataOf(await admin.post('/user-roles', { userId: grace.id, roleId: strict.id }));
  const [{ roleId }] = (
    await on.world.data.db.read.all(find('userRole', { serverId: server.id, userId: grace.id }))
  ).filter((role) => role.roleId !== strict.id) as [Json];
  const memberCount = dataOf(await admin.get(`/servers/${server.id}`)).memberCount;
  await on.claimedBy(grace.id, user.id);
  await on.merged();
  assert.deepEqual(await on.left(grace.id), []);
  assert.equal(dataOf(await admin.get(`/servers/${server.id}`)).memberCount, memberCount - 1);
  const message = dataOf(await admin.get(`/messages/${first.id}`));
  assert.deepEqual(message.reactions, [{ emoji: '👍', count: 1 }]);
  const dms = dataOf(await browser.api.get(`/conversations?serverId=${server.id}`));
  assert.equal(dms.length, 3);
  assert.deepEqual(
    dms.map(({ memberIds }: Json) => memberIds).filter((ids: string[]) => ids.length === 2),
    [[user.id, linus.id].sort(), [user.id, linus.id].sort()],
    'both direct messages with the same person',
  );
  assert.deepEqual(dms.find(({ id }: Json) => id === both.id).memberIds, [user.id]);
  const same = await browser.api.post('/conversations', { userIds: [linus.id] });
  assert.equal(same.body.error.details[0].id, own.id);
  assert.deepEqual(
    await on.authors(browser.api, den),
    new Set([user.id]),
    'the role of a private channel moves',
  );
  const roles = await on.world.data.db.read.all(find('userRole', { serverId: server.id, userId: user.id }));
  assert.ok(!roles.some((role) => role.roleId === strict.id), 'a role with more permissions does not');
  assert.equal(roles.filter((role) => role.roleId === roleId).length, 1);
  assert.deepEqual(await on.authors(admin, pier), new Set([user.id, linus.id]));
});

test('a merge adds no account to a server that banned it or that it has left, and no suspended account', async () => {
  for (const why of ['banned', 'left', 'suspended'] as const) {
    const { grace, server, admin, pier } = await on.scene();
    const { user } = await accountOf(on.world);
    const times = { id: on.newId(), createdAt: now, updatedAt: now };
    const has = { ...times, serverId: server.id, userId: user.id };
    await on.world.data.db.write(async (tx) => {
      if (why === 'banned')
        await tx.run(insert('serverBan', { ...has, creatorId: on.owner.id, reason: null }));
      if (why === 'left') await tx.run(insert('departure', has));
    });
    await on.claimedBy(grace.id, user.id);
    if (why === 'suspended')
      await on.world.data.db.write((tx) => tx.run(update('user', user.id, { suspendedAt: now })));
    const { memberCount } = dataOf(await admin.get(`/servers/${server.id}`));
    await on.merged();
    assert.deepEqual(await on.left(grace.id), [], why);
    assert.equal(dataOf(await admin.get(`/servers/${server.id}`)).memberCount, memberCount - 1, why);
    const member = await on.world.data.db.read.first(
      find('serverMember', { serverId: server.id, userId: user.id }),
    );
    assert.equal(member, undefined, why);
    assert.ok((await on.authors(admin, pier)).has(user.id), 'messages have the right author');
  }
});

test('a hold on the person covers the account once it is claimed, and keeps its id', async () => {
  const { grace, server, admin, pier } = await on.scene();
  const { user } = await accountOf(on.world);
  const id = on.newId();
  const held = { id, createdAt: now, updatedAt: now, serverId: server.id, userId: grace.id, channelId: null };
  const open = { reason: 'Case', creatorId: null, until: null, endedAt: null, releasedAt: null };
  await on.world.data.db.write((tx) => tx.run(insert('hold', { ...held, ...open })));
  await on.claimedBy(grace.id, user.id);
  const holds = () => on.world.data.db.read.all(find('hold', { serverId: server.id }));
  assert.deepEqual((await holds()).map(({ userId }) => userId).sort(), [grace.id, user.id].sort());
  const [message] = await listAll(admin, `/channels/${pier}/messages`);
  await on.merged();
  assert.deepEqual(
    (await holds()).map((hold) => [hold.id, hold.userId]),
    [[id, user.id]],
  );
  dataOf(await admin.delete(`/messages/${message?.id}`));
  const kept = await on.world.data.db.read.first(find('keptMessage', { id: message?.id as string }));
  assert.equal(kept?.creatorId, user.id);
});

test('a merge continues on another node, and a node that lost its claim writes nothing', async () => {
  const { grace, linus, pier, admin } = await on.scene();
  const { user } = await accountOf(on.world);
  await on.claimedBy(grace.id, user.id);
  for (let turns = 0; turns < 4; turns++) await on.turn();
  const [timer] = await on.timers();
  assert.ok(timer, 'in the middle');
  const place = (await on.rowOf(grace.id))?.place;
  await on.world.app.runDue({ ...timer, dueAt: timer.dueAt - 1 });
  assert.deepEqual((await on.rowOf(grace.id))?.place, place, 'another node has claimed it');
  if (on.world.place.database) {
    const other = await World.open({ place: on.world.place });
    try {
      while (await on.turn(other));
    } finally {
      await other.close();
    }
  }
  await on.merged();
  assert.deepEqual(await on.left(grace.id), []);
  assert.deepEqual(await on.authors(admin, pier), new Set([user.id, linus.id]));
});

test('rows that an import adds for a person who has been claimed in the meantime are merged, too', async () => {
  const { grace, server, admin, pier, again } = await on.scene();
  const { user } = await accountOf(on.world);
  await on.claimedBy(grace.id, user.id);
  await on.merged();
  const late = { creatorId: grace.id, content: 'late', serverId: server.id, channelId: pier };
  const [known] = await listAll(admin, `/channels/${pier}/messages`);
  await on.world.data.db.write(async (tx) => {
    const row = await tx.first(find('message', { id: known?.id as string }));
    const { ord: _, record: __, attachments: ___, blocks: ____, stream: _____, ...plain } = row as Json;
    await tx.run(insert('message', { ...plain, id: idAt(now, 5), ...late } as never));
    await tx.run(insert('unfinishedImport', { id: server.id, serverId: server.id, messages: 1 }));
  });
  assert.deepEqual(await on.left(grace.id), ['message.creatorId']);
  assert.equal((await again()).code, 0);
  await on.merged();
  assert.deepEqual(await on.left(grace.id), []);
});

test('an account can be erased only once its merge has ended', async () => {
  const { grace } = await on.scene();
  const { user } = await accountOf(on.world);
  await on.claimedBy(grace.id, user.id);
  const { data: folder, database = '' } = on.world.place;
  const erase = () =>
    on.stage.run(['user', 'erase', '--username', user.username, '--messages', 'keep'], {
      PALAVER_DATA: folder,
      DATABASE_URL: database,
    });
  const refused = await erase();
  assert.match(refused.stderr, /still being merged/);
  await on.merged();
  assert.equal((await erase()).code, 0);
});
