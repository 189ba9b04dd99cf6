import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eraseUser } from '../../server/src/cli/people/erase.ts';
import { keptMessages } from '../../server/src/cli/records/hold.ts';
import { Browser } from '../support/account.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { openPlatformScene, type PlatformScene } from '../support/platformScene.ts';
import { Scene } from '../support/scene.ts';
import { find } from '../support/sources.ts';
import { content, upload } from '../support/uploads.ts';
import type { Client, Json, World } from '../support/world.ts';

const DAY_MS = 24 * 60 * 60_000;

let platform: PlatformScene;
let world: World;
before(async () => {
  platform = await openPlatformScene();
  ({ world } = platform);
});
after(() => world.close());

const hold = async (scene: Scene, scope: object = {}): Promise<Json> => {
  await platform.prove();
  const body = { serverId: scene.server.id, reason: 'Case 4711', ...scope };
  return dataOf(await platform.browser.post('/platform/holds', body));
};
const endOf = async ({ id }: Json) => {
  await platform.prove();
  return dataOf(await platform.browser.post(`/platform/holds/${id}/end`, {}));
};
const keptBy = async ({ id }: Json): Promise<Json[]> =>
  dataOf(await platform.browser.get(`/platform/holds/${id}/messages`));
/** Downloads a file that a hold keeps. An empty header is left out. */
const fileOf = ({ cookie }: Browser, holdId: string, fileId: string, headers: Record<string, string> = {}) =>
  fetch(`${world.url}/api/people/platform/holds/${holdId}/files/${fileId}/content`, {
    headers: Object.fromEntries(
      Object.entries({ cookie, 'palaver-server': 'none', ...headers }).filter(([, value]) => value !== ''),
    ),
  });
const idsOf = (records: readonly Json[]): string[] => records.map(({ id }) => id);

async function stage(): Promise<{ scene: Scene; author: Client; user: Json; channelId: string }> {
  const scene = await Scene.open(world);
  const user = await world.user();
  const author = await world.client(scene.server, ['canEditData'], user);
  return { scene, author, user, channelId: (await scene.channel()).id };
}

test('a message deleted under a hold is gone, with its versions and files, for everybody except platform admins', async () => {
  const { scene, author, channelId } = await stage();
  const made = await hold(scene);
  const file = dataOf(await upload(world, author, Buffer.from('Evidence'), 'evidence.txt'));
  const body = { channelId, content: 'First', attachmentIds: [file.id] };
  const { id } = dataOf(await author.post('/messages', body));
  platform.clock.advance(1_000);
  dataOf(await author.patch(`/messages/${id}`, { content: 'Second' }));
  dataOf(await author.delete(`/messages/${id}`));
  for (const client of [author, scene.admin]) {
    assertRefused(await client.get(`/messages/${id}`), 'NOT_FOUND');
    assert.deepEqual(dataOf(await client.get(`/channels/${channelId}/messages`)), []);
    assert.equal((await content(world, client, file.id)).status, 404);
  }
  await world.tidy();
  const [kept, ...more] = await keptBy(made);
  assert.deepEqual(more, []);
  assert.deepEqual(
    [kept?.id, kept?.content, kept?.versions.map((one: Json) => one.content), kept?.files, kept?.deleterId],
    [
      id,
      'Second',
      ['First'],
      [{ id: file.id, name: 'evidence.txt', type: 'application/octet-stream', bytes: 8 }],
      author.secret.userId,
    ],
  );
  assert.ok(await world.data.db.read.first(find('fileRemoval', { id: file.id })));
  assert.equal((await platform.audited()).command, 'hold read');
  await platform.prove();
  const saved = await fileOf(platform.browser, made.id, file.id);
  assert.deepEqual([saved.status, await saved.text()], [200, 'Evidence']);
  assert.match(saved.headers.get('content-disposition') ?? '', /^attachment; filename="evidence\.txt"/);
  const { command, about } = await platform.audited();
  assert.deepEqual(
    [command, about],
    ['hold read', { id: made.id, serverId: scene.server.id, fileId: file.id }],
  );
  const part = await fileOf(platform.browser, made.id, file.id, { range: 'bytes=0-3' });
  assert.deepEqual([part.status, await part.text()], [206, 'Evid']);
  const shown = { 'palaver-server': '', referer: `${world.url}/platform/holds` };
  assert.equal((await fileOf(platform.browser, made.id, file.id, shown)).status, 200, 'by a link');
  const other = await hold(scene, { userId: scene.owner.id });
  for (const [by, holdId, fileId, status] of [
    [await Browser.of(world, scene.owner, scene.server), made.id, file.id, 403],
    [platform.browser, other.id, file.id, 404],
    [platform.browser, made.id, made.id, 404],
    [platform.browser, file.id, file.id, 404],
    [platform.browser, made.id, 'none', 404],
  ] as const)
    assert.equal((await fileOf(by, holdId, fileId)).status, status);
  await endOf(other);

  await endOf(made);
  await world.tidy();
  await world.tidy();
  assert.deepEqual(await keptBy(made), []);
  assert.equal(await world.data.db.read.first(find('fileRemoval', { id: file.id })), undefined);
});

test('content under a hold survives retention, bulk deletes, and the deletion of its thread or channel', async () => {
  const { scene, author, channelId } = await stage();
  const made = await hold(scene, { userId: author.secret.userId });
  const send = async (place: object) =>
    dataOf(await author.post('/messages', { content: 'Mine', ...place })).id;
  const expired = await send({ channelId });
  const other = await scene.message({ channelId });
  dataOf(await scene.admin.patch(`/channels/${channelId}`, { retentionDays: 1 }));
  platform.clock.advance(2 * DAY_MS);
  await world.tidy();
  assert.deepEqual(dataOf(await scene.admin.get(`/channels/${channelId}/messages`)), []);
  assert.deepEqual(idsOf(await keptBy(made)), [expired]);

  const ids = [await send({ channelId }), await send({ channelId })];
  dataOf(await scene.admin.post('/messages/delete', { channelId, ids }));
  const thread = await scene.thread({ channelId });
  const reply = await send({ threadId: thread.id });
  await scene.message({ threadId: thread.id });
  dataOf(await scene.admin.delete(`/threads/${thread.id}`));
  const doomed = await scene.channel();
  const last = await send({ channelId: doomed.id });
  dataOf(await scene.admin.delete(`/channels/${doomed.id}`));
  await world.tidy();
  const kept = idsOf(await keptBy(made));
  assert.deepEqual(kept, [expired, ...ids, reply, last]);
  assert.ok(!kept.includes(other.id));
  for (const id of [reply, last]) assertRefused(await scene.admin.get(`/messages/${id}`), 'NOT_FOUND');
  assert.equal(await world.data.db.read.first(find('message', { id: last })), undefined);
});

test('all earlier versions are kept under a hold, regardless of the number of edits', async () => {
  const { scene, author, channelId } = await stage();
  const made = await hold(scene, { channelId });
  const { id } = dataOf(await author.post('/messages', { channelId, content: 'Text 0' }));
  for (let edit = 1; edit <= 205; edit++) {
    platform.clock.advance(2_500);
    dataOf(await author.patch(`/messages/${id}`, { content: `Text ${edit}` }));
  }
  dataOf(await author.delete(`/messages/${id}`));
  const [kept] = await keptBy(made);
  assert.deepEqual([kept?.versions.length, kept?.versions[1].content], [205, 'Text 1']);
});

test('irreversible actions are rejected with the rule "hold": closing an account, erasing a user, deleting a server', async () => {
  const { scene, author, user, channelId } = await stage();
  dataOf(await author.post('/messages', { channelId, content: 'Mine' }));
  const made = await hold(scene);
  const browser = await Browser.of(world, user);
  const owner = await Browser.of(world, scene.owner, scene.server);
  const answers = [
    await browser.post('/close', { username: user.username, messages: 'delete' }),
    await browser.post('/close', { username: user.username, messages: 'keep' }),
    await owner.post(`/servers/${scene.server.id}/delete`, { name: scene.server.name }),
    await platform.browser.post(`/platform/servers/${scene.server.id}/delete`, { name: scene.server.name }),
  ];
  for (const answer of answers) {
    assertRefused(answer, 'FORBIDDEN');
    assert.equal(answer.body.error.details.rule, 'hold');
    assert.doesNotMatch(answer.body.error.message, /hold|4711/);
  }
  const erase = () => eraseUser(world.data, { username: user.username as string, messages: 'delete' });
  await assert.rejects(erase, { code: 'FORBIDDEN' });
  dataOf(await author.get(`/channels/${channelId}/messages`));
  await endOf(made);
  await erase();
});

test('a page of holds names the affected users, across all servers', async () => {
  const { scene, user } = await stage();
  const { id } = await hold(scene, { userId: user.id });
  const { body } = await platform.browser.get('/platform/holds?limit=1&expand=user,creator');
  assert.deepEqual(idsOf(body.data), [id]);
  assert.deepEqual(
    new Set(Object.values<Json>(body.expanded.users).map(({ username }) => username)),
    new Set([user.username, platform.root.username]),
  );
  const { creatorId } = scene.server;
  const servers = await platform.browser.get('/platform/servers?expand=creator&limit=100');
  assert.ok(servers.body.expanded.users[creatorId]);
  await endOf({ id });
});

test('an expired hold covers nothing, and only platform admins see holds', async () => {
  const { scene, author, channelId } = await stage();
  const until = platform.clock.now() + DAY_MS;
  const made = await hold(scene, { until });
  platform.clock.advance(DAY_MS);
  const { id } = dataOf(await author.post('/messages', { channelId, content: 'Later' }));
  dataOf(await author.delete(`/messages/${id}`));
  await platform.prove();
  assert.deepEqual(await keptBy(made), []);
  const owner = await Browser.of(world, scene.owner, scene.server);
  assertRefused(await owner.get('/platform/holds'), 'FORBIDDEN');
  assertRefused(await owner.get(`/platform/holds/${made.id}/messages`), 'FORBIDDEN');
  assertRefused(
    await owner.post('/platform/holds', { serverId: scene.server.id, reason: 'Mine' }),
    'FORBIDDEN',
  );
  const lasting = dataOf(await platform.browser.get('/platform/holds?lasting=true'));
  assert.ok(!idsOf(lasting).includes(made.id));
  const late = { serverId: scene.server.id, reason: 'Late', until: platform.clock.now() };
  assertRefused(await platform.browser.post('/platform/holds', late), 'INVALID_REQUEST', '', 'until');
});

test('platform admins choose a channel by name, and a hold and its messages contain the name', async () => {
  const { scene, author, channelId } = await stage();
  await scene.channel({ name: 'zebra', private: true });
  const channels: Json[] = dataOf(
    await platform.browser.get(`/platform/servers/${scene.server.id}/channels`),
  );
  const { name } = channels.find(({ id }) => id === channelId) as Json;
  assert.deepEqual(Object.keys(channels[0] as Json).sort(), [
    'createdAt',
    'id',
    'name',
    'private',
    'updatedAt',
  ]);
  assert.deepEqual([channels.at(-1)?.name, channels.at(-1)?.private], ['zebra', true]);
  const made = await hold(scene, { channelId });
  assert.equal(made.channelName, name);
  const { id } = dataOf(await author.post('/messages', { channelId, content: 'Gone' }));
  dataOf(await author.delete(`/messages/${id}`));
  assert.equal((await keptBy(made))[0]?.channelName, name);
  const byCommand = await keptMessages(world.data, made.id);
  assert.deepEqual(byCommand, await keptBy(made));
  await scene.remove(`/channels/${channelId}`);
  assert.equal((await keptBy(made))[0]?.channelName, null);
  const listed: Json[] = dataOf(await platform.browser.get('/platform/holds'));
  assert.equal(listed.find((one) => one.id === made.id)?.channelName, null);
  assert.equal((await endOf(made)).channelName, null);
  assertRefused(await platform.browser.get('/platform/servers/none/channels'), 'NOT_FOUND');
  const owner = await Browser.of(world, scene.owner, scene.server);
  assertRefused(await owner.get(`/platform/servers/${scene.server.id}/channels`), 'FORBIDDEN');
});
