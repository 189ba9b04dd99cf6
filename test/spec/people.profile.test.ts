import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser, PASSWORD } from '../support/account.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { logOf } from '../support/log.ts';
import { fillChannel } from '../support/messages.ts';
import { Scene } from '../support/scene.ts';
import { find } from '../support/sources.ts';
import { type Answer, type Client, type Json, TestClock, World } from '../support/world.ts';

const clock = new TestClock();
let world: World;
before(async () => {
  world = await World.open({ clock });
});
after(() => world.close());

test("changing a name or picture notifies all of the person's servers", async () => {
  const user = await world.user();
  const scenes = [await Scene.open(world), await Scene.open(world)];
  for (const { server } of scenes) await world.member(server, user);
  const browser = await Browser.claimed(world, user);
  const image = 'https://example.com/ada.png';
  clock.advance(1);
  const changed = dataOf(await browser.patch('/me', { name: 'Zaphod Quux', image }));
  assert.deepEqual([changed.name, changed.image, changed.username], ['Zaphod Quux', image, user.username]);
  await world.tidy();
  for (const scene of scenes) {
    const last = (await logOf(world, scene.server.id)).at(-1);
    assert.deepEqual([last?.type, last?.data.user.name], ['serverMember.updated', 'Zaphod Quux']);
    assert.equal(last?.actorId, user.id);
    const found = dataOf(await scene.admin.get(`/servers/${scene.server.id}/members?q=quux`));
    assert.deepEqual(
      found.map(({ userId }: Json) => userId),
      [user.id],
    );
  }
  dataOf(await browser.patch('/me', { name: 'Zaphod Quux' }));
  await world.tidy();
  assert.equal(
    (await logOf(world, (scenes[0] as Scene).server.id)).at(-1)?.data.user.updatedAt,
    changed.updatedAt,
  );
  assert.equal(dataOf(await browser.patch('/me', { image: null })).image, null);
  for (const [body, path] of [
    [{ name: ' ' }, 'name'],
    [{ name: null }, 'name'],
    [{ image: 'javascript:alert(1)' }, 'image'],
    [{ username: 'Ada!' }, 'username'],
    [{ username: '' }, 'username'],
  ] as const)
    assertRefused(await browser.patch('/me', body), 'INVALID_REQUEST', JSON.stringify(body), path);
  const me = dataOf(await browser.patch('/me', { platformAdmin: true, type: 'agent', email: 'a@b.example' }));
  assert.deepEqual([me.platformAdmin, me.type, me.email], [false, 'person', null]);
});

test('a username is unique and can be changed once a day', async () => {
  const [user, other] = [await world.user(), await world.user()];
  const browser = await Browser.claimed(world, user);
  assertRefused(await browser.patch('/me', { username: other.username }), 'ALREADY_EXISTS');
  const username = world.unique('renamed');
  assert.equal(dataOf(await browser.patch('/me', { username })).username, username);
  const early = await browser.patch('/me', { username: world.unique('renamed') });
  assertRefused(early, 'RATE_LIMITED');
  assert.equal(early.headers.get('retry-after'), String(24 * 60 * 60));
  dataOf(await browser.patch('/me', { username, name: 'The same' }));
  dataOf(await new Browser(world).post('/sign-in', { name: username, password: PASSWORD }));
  assertRefused(
    await new Browser(world).post('/sign-in', { name: user.username, password: PASSWORD }),
    'UNAUTHORIZED',
  );
  clock.advance(24 * 60 * 60_000);
  dataOf(await browser.patch('/me', { username: user.username }));
});

test('only one of several concurrent renames succeeds', async () => {
  const browser = await Browser.claimed(world, await world.user());
  const rename = () => browser.patch('/me', { username: world.unique('renamed') });
  const answers = await Promise.all(Array.from({ length: 40 }, rename));
  const [renamed, ...others] = answers.toSorted((one, other) => one.status - other.status);
  dataOf(renamed as Answer);
  for (const answer of others) assertRefused(answer, 'RATE_LIMITED');
});

for (const messages of ['keep', 'delete'] as const)
  test(`a person can close their account and ${messages} their messages`, async () => {
    const scene = await Scene.open(world);
    const user = await world.user();
    await world.member(scene.server, user);
    const key = await world.client(scene.server, ['canEditData'], user);
    const channel = await scene.channel();
    const message = dataOf(await key.post('/messages', { channelId: channel.id, content: 'By me' }));
    const own = await world.server(user);
    const browser = await Browser.claimed(world, user);
    const close = (body: object = {}) =>
      browser.post('/close', { username: user.username, messages, ...body });
    assertRefused(await close({ username: 'somebody' }), 'INVALID_REQUEST', '', 'username');
    assertRefused(await close({ messages: 'burn' }), 'INVALID_REQUEST', '', 'messages');
    const creator = await close();
    assertRefused(creator, 'FORBIDDEN');
    assert.match(creator.body.error.message, /Transfer or delete them/);
    browser.place = own.id;
    dataOf(await browser.post(`/servers/${own.id}/delete`, { name: own.name }));
    browser.place = 'none';
    clock.advance(10 * 60_000);
    assertRefused(await close(), 'FORBIDDEN', 'without a confirmed identity');
    dataOf(await browser.post('/proof', { password: PASSWORD }));
    const cookie = browser.cookie;
    assert.equal(dataOf(await close()).id, user.id);
    assert.equal(browser.cookie, '');
    browser.cookie = cookie;
    assertRefused(await browser.get('/me'), 'UNAUTHORIZED');
    assertRefused(await key.get('/servers'), 'INVALID_API_KEY');
    const signIn = { name: user.username, password: PASSWORD };
    assertRefused(await new Browser(world).post('/sign-in', signIn), 'UNAUTHORIZED');
    await world.tidy();
    const row = await world.data.db.read.first(find('user', { id: user.id }));
    assert.match(row?.username ?? '', /^deleted-/);
    assert.equal(row?.name, 'Deleted user');
    const left = await scene.admin.get(`/messages/${message.id}`);
    if (messages === 'keep') assert.equal(dataOf(left).content, 'By me');
    else assertRefused(left, 'NOT_FOUND');
    const members = dataOf(await scene.admin.get(`/servers/${scene.server.id}/members`));
    assert.ok(!members.some(({ userId }: Json) => userId === user.id));
    assert.equal(await world.data.db.read.first(find('closing', { id: user.id })), undefined);
    assert.equal(await world.data.db.read.first(find('serverMember', { userId: user.id })), undefined);
  });

test("a closed account's agents lose access immediately, before upkeep runs", async () => {
  const scene = await Scene.open(world);
  const user = await world.user();
  await world.member(scene.server, user);
  const role = await scene.role({ canEditApp: true, canEditData: true });
  await scene.make('/user-roles', { userId: user.id, roleId: role.id });
  const browser = await Browser.claimed(world, user);
  browser.place = scene.server.id;
  const mint = async (by: Pick<Client, 'post'>) =>
    world.as(dataOf(await by.post('/secrets', { kind: 'apiKey', name: 'Bot', roleId: role.id })).key);
  const bot = await mint(browser.api);
  const keys = [bot, await mint(bot)];
  const { id: channelId } = await scene.channel();
  const hook = dataOf(await browser.api.post('/webhooks', { direction: 'in', channelId }));
  const posted = () => world.request('POST', `${world.url}${hook.path}`, { body: { text: 'Hello' } });
  for (const key of keys) dataOf(await key.get('/users/me'));
  assert.equal((await posted()).status, 200);
  dataOf(await browser.post('/close', { username: user.username, messages: 'keep' }));
  for (const key of keys) {
    const refused = await key.post('/messages', { channelId, content: 'Still here' });
    assertRefused(refused, 'INVALID_API_KEY');
    assert.match(refused.body.error.message, /suspended/, 'its key still exists, but does not work');
  }
  assert.equal((await posted()).status, 401);
  await world.tidy();
  for (const key of keys) assertRefused(await key.get('/users/me'), 'INVALID_API_KEY');
});

test("a person who has confirmed their identity can export all of their data, and nothing of other people's", async () => {
  const scene = await Scene.open(world);
  const user = await world.user({ username: 'copied', name: 'Ada' });
  await world.member(scene.server, user);
  const browser = await Browser.claimed(world, user);
  const role = await scene.role({ canEditApp: true, canEditChannel: true, canEditData: true });
  await scene.make('/user-roles', { userId: user.id, roleId: role.id });
  browser.place = scene.server.id;
  const channel = dataOf(await browser.api.post('/channels', { serverId: scene.server.id, name: 'hers' }));
  // The person's messages fill more than one page of rows.
  dataOf(await browser.api.post('/messages', { channelId: channel.id, content: 'the first' }));
  // Messages by somebody else, so the export's turns for this channel also read rows that are not the person's.
  await fillChannel(world, channel, (await world.user()).id, 4_100);
  for (let number = 0; number < 120; number++)
    dataOf(await browser.api.post('/messages', { channelId: channel.id, content: `word ${number} 🦈` }));
  dataOf(await scene.admin.patch(`/channels/${channel.id}`, { name: 'a secret of others', private: true }));
  await scene.make('/messages', { channelId: channel.id, content: 'words of others' });

  const ask = (method = 'GET', { cookie, place } = browser) =>
    fetch(`${world.url}/api/people/export`, {
      method,
      headers: { ...(place !== undefined && { 'palaver-server': place }), cookie },
    });
  const answer = await ask();
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get('content-disposition') ?? '', /^attachment; filename="copied\.jsonl"/);
  assert.equal(answer.headers.get('accept-ranges'), null);
  const text = await answer.text();
  const lines: { table: string; row: Json }[] = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const of = (table: string) => lines.filter((line) => line.table === table).map(({ row }) => row);
  assert.equal(of('user')[0].username, 'copied');
  assert.deepEqual(
    of('message').map(({ content }) => content),
    ['the first', ...Array.from({ length: 120 }, (_, number) => `word ${number} 🦈`)],
  );
  assert.deepEqual(of('channel'), [
    { id: channel.id, kind: 'channel', serverId: scene.server.id, createdAt: channel.createdAt },
  ]);
  assert.ok(of('session').length > 0 && of('serverMember').length === 1);
  const token = browser.cookie.split('=')[1] as string;
  for (const word of ['of others', '"digest"', '"sealed"', '"password"', token])
    assert.ok(!text.includes(word), word);

  const head = await ask('HEAD');
  assert.deepEqual([head.status, await head.text()], [200, '']);
  assert.equal((await ask('GET', Object.assign(new Browser(world), { place: 'none' }))).status, 401);
  const bare = Object.assign(new Browser(world), { cookie: browser.cookie, place: undefined });
  assert.equal((await ask('GET', bare)).status, 401, 'a link on another site gets nothing');
  clock.advance(10 * 60_000);
  const late = await ask();
  assert.equal(late.status, 403);
  assert.match(((await late.json()) as Json).error.details.rule, /^proof: /);
});

test('people with canEditApp can write flows, but others cannot', async () => {
  const scene = await Scene.open(world);
  const { server } = scene;
  const editor = await world.user();
  await world.member(server, editor);
  const role = await scene.role({ canEditApp: true });
  await scene.make('/user-roles', { userId: editor.id, roleId: role.id });
  const browser = await Browser.of(world, editor, server);
  const body = { name: 'Welcome', trigger: { on: 'manual' }, steps: [{ do: 'set', values: {} }] };
  const made = dataOf(await browser.api.post('/flows', body));
  assert.deepEqual([made.enabled, made.creatorId, made.serverId], [true, editor.id, server.id]);
  const changed = dataOf(await browser.api.patch(`/flows/${made.id}`, { enabled: false, steps: [] }));
  assert.deepEqual([changed.enabled, changed.steps, changed.name], [false, [], 'Welcome']);
  assert.deepEqual(dataOf(await scene.admin.get(`/flows/${made.id}`)), changed);
  const member = await world.user();
  await world.member(server, member);
  const plain = await Browser.of(world, member, server);
  assertRefused(await plain.api.post('/flows', body), 'FORBIDDEN');
  assertRefused(await plain.api.patch(`/flows/${made.id}`, { name: 'Mine' }), 'FORBIDDEN');
  assertRefused(await plain.api.delete(`/flows/${made.id}`), 'FORBIDDEN');
  const elsewhere = await Browser.of(world, editor);
  assertRefused(await elsewhere.api.delete(`/flows/${made.id}`), 'FORBIDDEN');
  assertRefused(await elsewhere.api.post('/flows', { ...body, serverId: server.id }), 'FORBIDDEN');
  for (const wrong of [{ steps: {} }, { name: '' }, { trigger: { big: 'x'.repeat(70_000) } }])
    assertRefused(
      await browser.api.post('/flows', { ...body, ...wrong }),
      'INVALID_REQUEST',
      Object.keys(wrong)[0],
    );
  dataOf(await browser.api.delete(`/flows/${made.id}`));
  assertRefused(await browser.api.delete(`/flows/${made.id}`), 'NOT_FOUND');
  const types = (await logOf(world, server.id))
    .map(({ type }) => type)
    .filter((type) => type.startsWith('flow'));
  assert.deepEqual(types, ['flow.created', 'flow.updated', 'flow.deleted']);
});

test('a person can create, list, rotate and revoke keys in the server settings', async () => {
  const scene = await Scene.open(world);
  const { server, owner } = scene;
  const browser = await Browser.of(world, owner, server);
  const role = dataOf(
    await browser.api.post('/roles', { name: 'Deploy', canEditData: true, canEditApp: true }),
  );
  const made = dataOf(await browser.api.post('/secrets', { kind: 'apiKey', name: 'Bot', roleId: role.id }));
  dataOf(await world.as(made.key).get('/users/me'));
  const list = async () => dataOf(await browser.api.get(`/servers/${server.id}/secrets`));
  const [listed] = await list();
  assert.deepEqual(
    [listed.id, listed.preview, listed.creatorId, listed.expiresAt, listed.key],
    [made.id, `sk_live_plv_…${made.key.slice(-4)}`, owner.id, null, undefined],
  );
  assert.equal(typeof listed.lastUsedAt, 'number');
  const next = dataOf(await browser.api.post(`/secrets/${made.id}/rotate`, { overlap: 0 }));
  assertRefused(await world.as(made.key).get('/users/me'), 'INVALID_API_KEY');
  dataOf(await world.as(next.key).get('/users/me'));
  dataOf(await browser.api.delete(`/secrets/${made.id}`));
  assertRefused(await world.as(next.key).get('/users/me'), 'INVALID_API_KEY');
  const admins = dataOf(await browser.api.get(`/servers/${server.id}/roles`)).find(
    ({ canAdmin }: Json) => canAdmin,
  );
  clock.advance(10 * 60_000);
  const late = await browser.api.post('/secrets', { kind: 'apiKey', name: 'Root', roleId: admins.id });
  assertRefused(late, 'FORBIDDEN');
  assert.match(late.body.error.details.rule, /^proof: /);
});

test('invites have a quota', async () => {
  const few = await World.open({ quotas: { invites: 2 } });
  try {
    const scene = await Scene.open(few);
    const first = await scene.invite();
    await scene.invite();
    assertRefused(await scene.admin.post('/invites', {}), 'INVALID_REQUEST');
    await scene.remove(`/invites/${first.id}`);
    await scene.invite();
  } finally {
    await few.close();
  }
});
