import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eraseUser } from '../../server/src/cli/people/erase.ts';
import { Browser } from '../support/account.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { find } from '../support/sources.ts';
import { upload } from '../support/uploads.ts';
import { type Client, type Json, TestClock, World } from '../support/world.ts';

const DAY_MS = 24 * 60 * 60_000;
const reason = 'Insults me';

const clock = new TestClock();
let world: World;
before(async () => {
  world = await World.open({ clock, limits: { '*': 0 } });
});
after(() => world.close());

interface Stage {
  scene: Scene;
  /** A moderator who is not an admin. */
  moderator: Client;
  /** The author of the reported messages, and the member who reports them. */
  author: Client;
  reporter: Client;
}

async function stage(): Promise<Stage> {
  const scene = await Scene.open(world);
  const client = async (...flags: ('canModerate' | 'canEditData')[]) =>
    world.client(scene.server, flags, await world.user());
  return {
    scene,
    moderator: await client('canModerate'),
    author: await client('canEditData'),
    reporter: await client(),
  };
}

const queueOf = async ({ scene }: Stage, client: Client, query = ''): Promise<Json[]> =>
  dataOf(await client.get(`/servers/${scene.server.id}/reports${query}`));

const rowOf = (id: string) => world.data.db.read.first(find('report', { id }));

async function reported(given: Stage, content = 'You fool'): Promise<{ message: Json; report: Json }> {
  const { scene, author, reporter } = given;
  const channel = await scene.channel();
  const message = dataOf(await author.post('/messages', { channelId: channel.id, content }));
  const report = dataOf(await reporter.post('/reports', { messageId: message.id, reason }));
  return { message, report };
}

test('moderators see a copy of the message until they close the report, even if it is edited or deleted', async () => {
  const given = await stage();
  const { scene, author, moderator } = given;
  const { id: channelId } = await scene.channel();
  const bytes = Buffer.from('What I think of you');
  const file = dataOf(await upload(world, author, bytes, 'opinion.txt'));
  const message = dataOf(
    await author.post('/messages', { channelId, content: 'You fool', attachmentIds: [file.id] }),
  );
  const report = dataOf(await given.reporter.post('/reports', { messageId: message.id, reason }));
  assert.deepEqual(
    [report.state, report.authorId, report.creatorId, report.channelId, report.closedAt],
    ['open', author.secret.userId, given.reporter.secret.userId, channelId, null],
  );
  assert.ok(!('reason' in report || 'copy' in report));
  dataOf(await author.patch(`/messages/${message.id}`, { content: 'You are wise' }));
  dataOf(await author.delete(`/messages/${message.id}`));
  const copy = { content: 'You fool', files: ['opinion.txt'] };
  assert.deepEqual(await queueOf(given, moderator, '?state=open'), [{ ...report, reason, copy }]);
  const closed = dataOf(await moderator.patch(`/reports/${report.id}`, { state: 'resolved' }));
  assert.deepEqual([closed.state, closed.closerId], ['resolved', moderator.secret.userId]);
  assert.deepEqual(await queueOf(given, moderator, '?state=open'), []);
  assert.deepEqual(await queueOf(given, moderator), [{ ...closed, reason, copy: null }]);
  assert.equal((await rowOf(report.id))?.copy, null);
  assert.deepEqual(dataOf(await moderator.patch(`/reports/${report.id}`, { state: 'resolved' })), closed);
  assertRefused(await moderator.patch(`/reports/${report.id}`, { state: 'open' }), 'INVALID_REQUEST');
});

test('the copy of an agent message contains the text of its blocks', async () => {
  const { scene, reporter, moderator } = await stage();
  const agent = await world.client(scene.server, ['canEditData'], await world.user({ agent: true }));
  const { id: channelId } = await scene.channel();
  const blocks = [{ type: 'section', text: 'You **fool**' }];
  for (const [content, copied] of [
    ['', 'You fool'],
    ['Hello', 'Hello\n\nYou fool'],
  ] as const) {
    const message = dataOf(await agent.post('/messages', { channelId, content, blocks }));
    const { id } = dataOf(await reporter.post('/reports', { messageId: message.id, reason }));
    const all: Json[] = dataOf(await moderator.get(`/servers/${scene.server.id}/reports`));
    assert.deepEqual(all.find((one) => one.id === id)?.copy, { content: copied, files: [] });
  }
});

test('a reported direct message shows only this message to moderators', async () => {
  const given = await stage();
  const { scene, moderator } = given;
  const [ada, bob] = [await world.user(), await world.user()];
  for (const user of [ada, bob]) await world.member(scene.server, user);
  const [first, second] = [
    (await Browser.of(world, ada, scene.server)).api,
    (await Browser.of(world, bob, scene.server)).api,
  ];
  const dm = dataOf(await first.post('/conversations', { userIds: [bob.id] }));
  const said: Json[] = [];
  for (const content of ['a secret', 'You fool', 'another secret'])
    said.push(dataOf(await first.post('/messages', { channelId: dm.id, content })));
  for (const outsider of [scene.admin, moderator, given.reporter])
    assertRefused(await outsider.post('/reports', { messageId: said[1]?.id, reason }), 'FORBIDDEN');
  const report = dataOf(await second.post('/reports', { messageId: said[1]?.id, reason }));
  assert.equal(report.channelId, null);
  for (const client of [moderator, scene.admin]) {
    const found = await queueOf(given, client);
    assert.deepEqual(found, [{ ...report, reason, copy: { content: 'You fool', files: [] } }]);
    assert.ok(!JSON.stringify(found).includes(dm.id));
    for (const path of [`/messages/${said[1]?.id}`, `/channels/${dm.id}/messages`, `/channels/${dm.id}`])
      assertRefused(await client.get(path), 'FORBIDDEN', path);
  }
  assert.equal(
    dataOf(await moderator.patch(`/reports/${report.id}`, { state: 'dismissed' })).state,
    'dismissed',
  );
});

test('reports from a private channel are shown only to moderators who can see it', async () => {
  const given = await stage();
  const { scene, moderator } = given;
  const { id: channelId } = await scene.channel({ private: true });
  const message = await scene.message({ channelId });
  const report = await scene.make('/reports', { messageId: message.id, reason });
  assert.deepEqual(await queueOf(given, moderator), []);
  assertRefused(await moderator.patch(`/reports/${report.id}`, { state: 'resolved' }), 'FORBIDDEN');
  assert.equal((await queueOf(given, scene.admin)).length, 1);
  assertRefused(await given.reporter.post('/reports', { messageId: message.id, reason }), 'FORBIDDEN');
  await scene.remove(`/channels/${channelId}`);
  assert.deepEqual(await queueOf(given, scene.admin), []);
});

test('only moderators read reports and receive their events', async () => {
  const given = await stage();
  const { scene, author, reporter, moderator } = given;
  const cursor = await scene.cursor();
  const { report } = await reported(given);
  const closed = dataOf(await moderator.patch(`/reports/${report.id}`, { state: 'resolved' }));
  const eventsFor = async (client: Client) => {
    const path = `/events?after=${encodeURIComponent(cursor)}&types=report.*`;
    return dataOf(await client.get(path)).map(({ type, data }: Json) => [type, data]);
  };
  for (const client of [author, reporter]) {
    assertRefused(await client.get(`/servers/${scene.server.id}/reports`), 'FORBIDDEN');
    assert.deepEqual(await eventsFor(client), []);
  }
  assert.deepEqual(await eventsFor(moderator), [
    ['report.created', report],
    ['report.updated', closed],
  ]);
});

test('a member can report a message once, and has a limited number of open reports', async () => {
  const given = await stage();
  const { scene, reporter, moderator } = given;
  const { message, report } = await reported(given);
  assertRefused(await reporter.post('/reports', { messageId: message.id, reason }), 'ALREADY_EXISTS');
  const { id: channelId } = await scene.channel();
  const another = async () => {
    const { id } = await scene.message({ channelId });
    return reporter.post('/reports', { messageId: id, reason });
  };
  for (let open = 1; open < 50; open++) dataOf(await another());
  assertRefused(await another(), 'INVALID_REQUEST');
  dataOf(await moderator.patch(`/reports/${report.id}`, { state: 'dismissed' }));
  dataOf(await another());
});

test('a report is hidden and deleted after 90 days', async () => {
  const given = await stage();
  const { report } = await reported(given);
  clock.advance(90 * DAY_MS - 1);
  assert.equal((await queueOf(given, given.moderator)).length, 1);
  clock.advance(1);
  assert.deepEqual(await queueOf(given, given.moderator), []);
  assertRefused(await given.moderator.patch(`/reports/${report.id}`, { state: 'resolved' }), 'NOT_FOUND');
  await world.tidy();
  assert.equal(await rowOf(report.id), undefined);
});

test('erasing the author deletes the copy, and erasing the reporter deletes the reason', async () => {
  const given = await stage();
  const [author, reporter] = [await world.user(), await world.user()];
  const as = async (user: Json) => world.client(given.scene.server, ['canEditData'], user);
  const { report } = await reported({ ...given, author: await as(author), reporter: await as(reporter) });
  await eraseUser(world.data, { username: reporter.username, messages: 'keep' });
  const [found] = await queueOf(given, given.moderator);
  assert.deepEqual([found?.reason, found?.copy.content], ['', 'You fool']);
  await eraseUser(world.data, { username: author.username, messages: 'keep' });
  assert.deepEqual(await queueOf(given, given.moderator), []);
  assert.equal(await rowOf(report.id), undefined);
});

test('moderators are notified of a report until it is closed, even of one about a direct message, without its content', async () => {
  const given = await stage();
  const { scene, author, reporter } = given;
  const user = await world.user();
  await world.member(scene.server, user);
  const role = await scene.role({ canModerate: true });
  await scene.make('/user-roles', { userId: user.id, roleId: role.id });
  const moderator = (await Browser.of(world, user, scene.server)).api;
  const agents = await Promise.all([0, 0].map(() => world.user({ agent: true })));
  const [one, other] = await Promise.all(agents.map((agent) => world.client(scene.server, [], agent)));
  const { report } = await reported(given);
  const noticesOf = async (client: Pick<Client, 'get'>) =>
    (dataOf(await client.get('/notifications?excerpts=true')) as Json[]).filter(
      ({ type }) => type === 'report',
    );
  const [told, ...more] = await noticesOf(moderator);
  assert.deepEqual(more, []);
  assert.deepEqual(
    [told?.actorId, told?.messageId, told?.channelId],
    [reporter.secret.userId, report.id, report.channelId],
  );
  for (const client of [author, reporter]) assert.deepEqual(await noticesOf(client), []);

  const dm = dataOf((await one?.post('/conversations', { userIds: [agents[1]?.id] })) as never);
  const message = dataOf(
    (await one?.post('/messages', { channelId: dm.id, content: 'zebracrossing' })) as never,
  );
  const direct = dataOf((await other?.post('/reports', { messageId: message.id, reason })) as never);
  const all = await noticesOf(moderator);
  assert.deepEqual(
    all.map(({ messageId }) => messageId),
    [direct.id, report.id],
  );
  const text = JSON.stringify(all);
  assert.ok(!text.includes('zebra') && !text.includes(dm.id));
  const hidden = await scene.channel({ private: true, roleIds: [author.secret.roleId] });
  const secret = await scene.make('/messages', { channelId: hidden.id, content: 'Hidden' });
  dataOf(await author.post('/reports', { messageId: secret.id, reason }));
  assert.equal((await noticesOf(moderator)).length, 2, 'not of a channel that they cannot see');

  dataOf(await moderator.patch(`/reports/${report.id}`, { state: 'dismissed' }));
  assert.deepEqual(
    (await noticesOf(moderator)).map(({ messageId }) => messageId),
    [direct.id],
  );
});
