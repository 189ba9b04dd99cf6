import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { tableNames } from '../../server/src/db/schema.ts';
import { Browser } from '../support/account.ts';
import { addMembers, addReplies } from '../support/crowds.ts';
import { assertRefused, dataOf, idsOf } from '../support/expect.ts';
import { logOf } from '../support/log.ts';
import { Scene } from '../support/scene.ts';
import { find, q } from '../support/sources.ts';
import { storedIn, upload } from '../support/uploads.ts';
import { type Client, type Json, listAll, TestClock, World } from '../support/world.ts';

const MEMBERS = 120;
const REPLIES = 1_500;

const clock = new TestClock();
let world: World;
before(async () => {
  world = await World.open({ clock, webhooks: {} });
});
after(() => world.close());

/** The number of rows that refer to a server, per table. */
async function rowsOf(serverId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of tableNames) {
    const rows = await world.data.db.read.all<Json>(q.selectFrom(table as 'channel').selectAll());
    const about = rows.filter((row: Json) =>
      table === 'event' ? row.logId === serverId : row.serverId === serverId || row.id === serverId,
    );
    if (about.length > 0) counts[table] = about.length;
  }
  return counts;
}

test('a person can list their servers with their flags and roles in each, page by page', async () => {
  const user = await world.user();
  const own = await world.server(user, 'Own');
  const scenes = [await Scene.open(world), await Scene.open(world)];
  for (const { server } of scenes) await world.member(server, user);
  const role = await (scenes[0] as Scene).role({ canModerate: true });
  await (scenes[0] as Scene).make('/user-roles', { userId: user.id, roleId: role.id });
  const browser = await Browser.of(world, user);
  const listed = await listAll(browser, '/servers', 2);
  assert.deepEqual(idsOf(listed), [own.id, ...scenes.map(({ server }) => server.id)]);
  const [first, second, third] = listed;
  assert.equal(first.isServerCreator, true);
  assert.ok(first.flags.includes('canAdmin'));
  assert.deepEqual(second.flags, ['canEditData', 'canModerate', 'canViewData']);
  assert.ok(second.roleIds.includes(role.id));
  assert.deepEqual(
    [third.isServerCreator, third.roleIds.length, third.name],
    [false, 1, (scenes[1] as Scene).server.name],
  );
  assert.deepEqual(Object.keys(first).includes('icon'), true);
});

test('a member can leave a server, but its creator cannot', async () => {
  const scene = await Scene.open(world);
  const { server, owner } = scene;
  const user = await world.user();
  await world.member(server, user);
  const key = await world.client(server, ['canEditData'], user);
  const browser = await Browser.of(world, user, server);
  const leave = (by: Browser) => by.post(`/servers/${server.id}/leave`, {});
  assertRefused(await leave(await Browser.of(world, user)), 'FORBIDDEN', 'while acting in another server');
  assertRefused(await leave(await Browser.of(world, await world.user(), server)), 'NOT_FOUND');
  assert.equal(dataOf(await leave(browser)).userId, user.id);
  assertRefused(await key.get(`/servers/${server.id}`), 'INVALID_API_KEY');
  assertRefused(await leave(browser), 'NOT_FOUND');
  const creator = await Browser.of(world, owner, server);
  const refused = await leave(creator);
  assertRefused(refused, 'FORBIDDEN');
  assert.match(refused.body.error.message, /Transfer ownership/);
  const [{ id }] = dataOf(await creator.api.get(`/servers/${server.id}/members`)).filter(
    ({ userId }: Json) => userId === owner.id,
  );
  assertRefused(await creator.api.delete(`/server-members/${id}`), 'FORBIDDEN', 'not through the API either');
});

test('only the creator can delete a server, by typing its name and confirming their identity', async () => {
  const scene = await Scene.open(world);
  const { server, owner } = scene;
  const remove = (by: Browser, name = server.name) => by.post(`/servers/${server.id}/delete`, { name });
  const creator = await Browser.of(world, owner, server);
  const admin = await world.user();
  await world.member(server, admin);
  const role = await scene.role({ canAdmin: true });
  await scene.make('/user-roles', { userId: admin.id, roleId: role.id });
  assertRefused(await remove(await Browser.of(world, admin, server)), 'FORBIDDEN', 'an admin');
  assertRefused(await remove(await Browser.of(world, owner)), 'FORBIDDEN', 'while acting in another server');
  const platformAdmin = await Browser.of(world, await world.user({ platformAdmin: true }), server);
  assertRefused(await remove(platformAdmin), 'FORBIDDEN', "a platform admin, through the creator's endpoint");
  assertRefused(await remove(creator, 'Another'), 'INVALID_REQUEST', '', 'name');
  clock.advance(10 * 60_000);
  const late = await remove(creator);
  assertRefused(late, 'FORBIDDEN');
  assert.match(late.body.error.details.rule, /^proof: /);
  dataOf(await scene.admin.get(`/servers/${server.id}`));
});

/** Fills a server with rows of many kinds, and another server with rows that refer to its app. */
async function filled(scene: Scene, other: Scene) {
  const { server } = scene;
  const users = await addMembers(world, server.id, MEMBERS);
  const thread = await scene.thread();
  await addReplies(world, thread, REPLIES);
  const app = await scene.submitted();
  await other.make('/apps/install-from-registry', { id: app.id });
  await other.make('/secrets', {
    kind: 'appSecret',
    name: 'Token',
    appId: app.id,
    value: 'a value of an app',
  });
  const message = await scene.message({ channelId: thread.channelId });
  const [sent, unsent] = [await upload(world, scene.admin), await upload(world, scene.admin)].map((answer) =>
    dataOf(answer),
  );
  await scene.make('/messages', { channelId: thread.channelId, content: 'File', attachmentIds: [sent.id] });
  await scene.make('/pins', { messageId: message.id });
  await scene.make('/reactions', { messageId: message.id, emoji: '👍' });
  const invite = await scene.invite();
  await scene.secret();
  await scene.webhook();
  const hook = await scene.make('/webhooks', { direction: 'in', channelId: thread.channelId });
  await scene.flow();
  await scene.indicator({ channelId: thread.channelId });
  await scene.make('/server-bans', { userId: (await world.user()).id });
  await scene.install();
  return { users, thread, app, sent, unsent, invite, hook };
}

/** Asserts that nobody can use a deleted server, its webhook, its invite or its app. */
async function assertInaccessible(
  { server, admin }: Scene,
  { app, thread, invite, hook }: Awaited<ReturnType<typeof filled>>,
  { member, creator, outsider }: { member: Browser; creator: Browser; outsider: Client },
): Promise<void> {
  assertRefused(await admin.get(`/servers/${server.id}`), 'INVALID_API_KEY');
  const posted = await world.request('POST', `${world.url}${hook.path ?? new URL(hook.url).pathname}`, {
    body: { text: 'Hello' },
  });
  assert.ok([401, 404].includes(posted.status), `the webhook responded ${posted.status}`);
  assertRefused(await member.api.get(`/servers/${server.id}`), 'NOT_FOUND');
  assert.equal(dataOf(await member.get('/me')).serverId, null);
  assert.deepEqual(dataOf(await member.get('/servers')), []);
  assertRefused(
    await member.api.post('/messages', { channelId: thread.channelId, content: 'Hi' }),
    'FORBIDDEN',
  );
  assertRefused(
    await creator.post(`/servers/${server.id}/delete`, { name: server.name }),
    'NOT_FOUND',
    'twice',
  );
  assertRefused(await outsider.get(`/invites/${invite.id}`), 'NOT_FOUND');
  assertRefused(await outsider.post('/server-members', { inviteId: invite.id }), 'NOT_FOUND');
  assertRefused(await outsider.get(`/apps/${app.id}`), 'FORBIDDEN');
  const joinable = await listAll(outsider, '/servers/joinable');
  assert.ok(!idsOf(joinable).includes(server.id));
}

/** Asserts that these members got `server.deleted`, and that the audit log names the creator. */
async function assertTold({ server, owner }: Scene, members: readonly Json[]): Promise<void> {
  for (const user of members) {
    const [event] = await logOf(world, user.id);
    assert.deepEqual(
      [event?.type, event?.data.name, event?.data.id],
      ['server.deleted', server.name, server.id],
    );
    assert.equal(event?.actorId, owner.id);
  }
  const entries = await world.data.db.read.all(q.selectFrom('audit').selectAll());
  const [entry, ...others] = entries.filter(({ about }) => about.id === server.id);
  assert.deepEqual([entry?.command, entry?.actorId, others.length], ['server delete', owner.id, 0]);
}

test('a deleted server is inaccessible immediately, and upkeep removes all of its data', async () => {
  const scene = await Scene.open(world);
  const { server, owner } = scene;
  const other = await Scene.open(world);
  const made = await filled(scene, other);
  const { users, sent, unsent } = made;
  const kept = await rowsOf(other.server.id);

  const member = await Browser.of(world, users[0] as Json, server);
  const creator = await Browser.of(world, owner, server);
  const gone = dataOf(await creator.post(`/servers/${server.id}/delete`, { name: server.name }));
  assert.deepEqual([gone.id, gone.name], [server.id, server.name]);
  await assertInaccessible(scene, made, { member, creator, outsider: other.admin });

  await world.tidy();
  assert.deepEqual(await rowsOf(server.id), {});
  for (const id of [sent.id, unsent.id])
    assert.ok(!storedIn(world.folder).includes(id), 'its files are removed');
  const { appInstall, ...rest } = kept;
  assert.equal(appInstall, 1);
  const after = await rowsOf(other.server.id);
  assert.deepEqual({ ...after, event: 0 }, { ...rest, event: 0, secret: (kept.secret as number) - 1 });
  const types = (await logOf(world, other.server.id)).map(({ type }) => type);
  assert.ok(types.includes('appInstall.deleted'), String(types));
  await assertTold(scene, [users[0] as Json, users.at(-1) as Json]);
});

test('deleting a server immediately frees a slot in the limit of a hundred', async () => {
  const user = await world.user();
  const servers: Json[] = [];
  for (let number = 0; number < 100; number++) servers.push(await world.server(user));
  const browser = await Browser.of(world, user, servers[0]);
  assertRefused(await browser.post('/servers', { name: 'Too many' }), 'INVALID_REQUEST');
  dataOf(await browser.post(`/servers/${servers[0].id}/delete`, { name: servers[0].name }));
  dataOf(await browser.post('/servers', { name: 'The last' }));
});

test('streams in a deleted server end', async () => {
  const scene = await Scene.open(world);
  const { server, owner } = scene;
  const user = await world.user();
  await world.member(server, user);
  const open = async (headers: Record<string, string>) => {
    const { body } = await fetch(`${world.url}/api/v1/events`, {
      headers: { accept: 'text/event-stream', ...headers },
      signal: AbortSignal.timeout(30_000),
    });
    return body as ReadableStream<Uint8Array>;
  };
  const member = await Browser.of(world, user, server);
  const streams = [
    await open({ authorization: `Bearer ${scene.admin.key}` }),
    await open({ cookie: member.cookie, 'palaver-server': server.id }),
  ];
  const ended = Promise.all(
    streams.map(async (stream) => {
      for await (const _piece of stream);
    }),
  );
  const creator = await Browser.of(world, owner, server);
  dataOf(await creator.post(`/servers/${server.id}/delete`, { name: server.name }));
  await ended;
  assert.equal(await world.data.db.read.first(find('server', { id: server.id, deletedAt: null })), undefined);
});
