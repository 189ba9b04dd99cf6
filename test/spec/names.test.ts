import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser, PASSWORD } from '../support/account.ts';
import { form, pkce, redirectBody } from '../support/apps.ts';
import { Authenticator } from '../support/authenticator.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { blank, hostileNames } from '../support/fields.ts';
import { ADDRESS, holderIn, register } from '../support/passkeys.ts';
import { Scene } from '../support/scene.ts';
import { change, createFlow, createKey, createServer, createUser, update } from '../support/sources.ts';
import { upload } from '../support/uploads.ts';
import { type Answer, type Json, World } from '../support/world.ts';

type Work = Parameters<typeof createUser>[0];

let world: World;
let scene: Scene;
let me: Browser;
let root: Browser;
before(async () => {
  world = await World.open({ address: ADDRESS });
  scene = await Scene.open(world);
  me = await Browser.of(world, scene.owner, scene.server);
  root = await Browser.of(world, await world.user({ platformAdmin: true }));
});
after(() => world.close());

/** For each noun that has a name: the field that the error names, and a request that sets the name. */
const nouns: Record<string, [path: string, send: (name: string) => Promise<Answer>]> = {
  person: ['name', (name) => me.patch('/me', { name })],
  'person who signs up': [
    'name',
    (name) =>
      new Browser(world).post('/sign-up', { username: world.unique('new'), name, password: PASSWORD }),
  ],
  'person who signs up by a provider': [
    'name',
    (name) => new Browser(world).post('/providers/finish', { username: world.unique('new'), name }),
  ],
  nickname: [
    'nickname',
    async (nickname) => scene.admin.patch(`/server-members/${(await scene.member()).id}`, { nickname }),
  ],
  'server, new': ['name', (name) => me.post('/servers', { name })],
  server: ['name', (name) => scene.admin.patch(`/servers/${scene.server.id}`, { name })],
  'channel, new': ['name', (name) => scene.admin.post('/channels', { name })],
  channel: ['name', async (name) => scene.admin.patch(`/channels/${(await scene.place()).id}`, { name })],
  'role, new': ['name', (name) => scene.admin.post('/roles', { name })],
  role: ['name', async (name) => scene.admin.patch(`/roles/${(await scene.role()).id}`, { name })],
  key: ['name', (name) => scene.admin.post('/secrets', { kind: 'apiKey', name })],
  'secret of an app': [
    'name',
    async (name) =>
      scene.admin.post('/secrets', { kind: 'appSecret', name, appId: (await scene.app()).id, value: 'x' }),
  ],
  'category of channels, new': ['name', (name) => scene.admin.post('/categories', { name })],
  'category of channels': [
    'name',
    async (name) =>
      scene.admin.patch(
        `/categories/${(await scene.make('/categories', { name: world.unique('Boats') })).id}`,
        {
          name,
        },
      ),
  ],
  'group direct message': [
    'name',
    async (name) => {
      const ids = [await scene.member(), await scene.member()].map(({ userId }) => userId);
      const { id } = dataOf(await me.api.post('/conversations', { userIds: ids }));
      return me.api.patch(`/channels/${id}`, { name });
    },
  ],
  'new server of an import': [
    'newServer',
    async (newServer) => {
      const body = { source: 'slack', newServer, owner: scene.owner.username, bytes: 1 };
      return root.post('/platform/imports', body);
    },
  ],
  'app, new': ['name', (name) => scene.admin.post('/apps', { name })],
  app: ['name', async (name) => scene.admin.patch(`/apps/${(await scene.app()).id}`, { name })],
  'publisher of an app': ['publisherName', (publisherName) => scene.admin.post('/apps', { publisherName })],
  'category of an app': ['category', (category) => scene.admin.post('/apps', { category })],
  'thread, new': [
    'name',
    async (name) => scene.admin.post('/threads', { channelId: (await scene.place()).id, name }),
  ],
  thread: ['name', async (name) => scene.admin.patch(`/threads/${(await scene.thread()).id}`, { name })],
  'webhook, outgoing': [
    'name',
    (name) => scene.admin.post('/webhooks', { url: 'https://example.com/hook', name }),
  ],
  'webhook, incoming': [
    'name',
    async (name) =>
      scene.admin.post('/webhooks', { direction: 'in', channelId: (await scene.place()).id, name }),
  ],
  webhook: ['name', async (name) => scene.admin.patch(`/webhooks/${(await scene.webhook()).id}`, { name })],
  'flow, new': ['name', (name) => scene.admin.post('/flows', { name, trigger: { on: 'manual' }, steps: [] })],
  flow: ['name', async (name) => scene.admin.patch(`/flows/${(await scene.flow()).id}`, { name })],
  'OAuth client': [
    'client',
    (client) => me.post('/approvals/redirect', redirectBody(pkce().challenge, { client })),
  ],
  "an OAuth client's device": [
    'device',
    (device) => me.post('/approvals/redirect', redirectBody(pkce().challenge, { device })),
  ],
};

const bad = [...blank, ...hostileNames];

for (const [noun, [path, send]] of Object.entries(nouns))
  test(`${noun}: names with hidden characters, or without visible ones, are rejected`, async () => {
    for (const name of bad) {
      const refused = await send(name);
      assertRefused(refused, 'INVALID_REQUEST', `${noun}: ${JSON.stringify(name)}`, path);
      const { reason } = refused.body.error.details[0];
      assert.equal(reason, blank.includes(name) ? 'blank' : 'bad_text', JSON.stringify(name));
    }
  });

test('passkey names follow the same rules', async () => {
  const { browser, passkey } = await holderIn(world);
  for (const name of bad) {
    assertRefused(await browser.patch(`/passkeys/${passkey.id}`, { name }), 'INVALID_REQUEST', name, 'name');
    assertRefused(
      await register(browser, new Authenticator(ADDRESS), { name }),
      'INVALID_REQUEST',
      name,
      'name',
    );
  }
});

test('the names of apps that show a code follow the same rules', async () => {
  for (const name of bad)
    for (const fields of [{ client_id: name }, { client_id: 'An app', device_name: name }] as Json[]) {
      const answer = await form(world, 'device_authorization', fields);
      assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_request'], JSON.stringify(fields));
    }
});

test('command names follow the same rules', async () => {
  const { id: server } = scene.server;
  const { id: user } = scene.owner;
  for (const name of bad) {
    for (const command of [
      (work: Work) => createUser(work, { username: world.unique('u'), name }),
      (work: Work) => createServer(work, { name, owner: user }),
      (work: Work) => createKey(work, { server, user, name }),
      (work: Work) => createFlow(work, { server, name, trigger: '{"on":"manual"}', steps: '[]' }),
    ])
      await assert.rejects(change<unknown>(world.data, command), /^\w*Error: name: must/, name);
  }
});

test('names of all scripts, and emoji that need joiners, are kept in NFC', async () => {
  for (const name of [
    'Zoe\u0308',
    'می\u200cخواهم',
    'क्\u200dष',
    'ශ්\u200dරී',
    'שָׁלוֹם',
    'မြွှေ့',
    'สวัสดี',
    '葛\u{e0100}城',
    '👩\u200d👩\u200d👧',
    '🏳\ufe0f\u200d🌈',
    '1\ufe0f\u20e3',
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  ]) {
    assert.equal(dataOf(await me.patch('/me', { name }), name).name, name.normalize('NFC'));
    assert.equal(dataOf(await scene.admin.post('/roles', { name }), name).name, name.normalize('NFC'));
  }
});

test('a server whose name nobody can type is deleted by typing its visible characters', async () => {
  const user = await world.user();
  const server = await world.server(user);
  await world.data.db.write((tx) => tx.run(update('server', server.id, { name: 'Har\u202ebour\u3164' })));
  const browser = await Browser.claimed(world, user);
  browser.place = server.id;
  const path = `/servers/${server.id}/delete`;
  assertRefused(await browser.post(path, { name: 'Harbor' }), 'INVALID_REQUEST', '', 'name');
  dataOf(await browser.post(path, { name: 'Harbour' }));
});

test('channels are unique by their compatibility forms, case-folded', async () => {
  const { admin } = await Scene.open(world);
  for (const [name, same] of [
    ['ﬁsh', 'FISH'],
    ['Straße', 'STRASSE'],
    ['Große Straße', 'GROẞE STRAẞE'],
    ['ΟΔΟΣ', 'οδος'],
    ['Übung', 'u\u0308bung'],
    ['Ａda', 'ada'],
    ['news', ' News '],
    ['می\u200cخواهم', 'میخواهم'],
  ] as const) {
    const made = dataOf(await admin.post('/channels', { name }), name);
    const refused = await admin.post('/channels', { name: same });
    assertRefused(refused, 'ALREADY_EXISTS', `${name} and ${same}`);
    assert.equal(refused.body.error.details.id, made.id);
    const { id } = dataOf(await admin.post('/channels', { name: world.unique('channel') }));
    assertRefused(await admin.patch(`/channels/${id}`, { name: same }), 'ALREADY_EXISTS');
    dataOf(await admin.patch(`/channels/${made.id}`, { name: same }), 'its own name');
  }
  for (const name of ['ırmak', 'irmak']) dataOf(await admin.post('/channels', { name }), name);
});

test('reserved usernames are rejected, even for operators, except admin', async () => {
  const reserved = ['everyone', 'here', 'channel', 'all', 'system', 'deleted-', 'deleted-0123456789ab'];
  const user = await world.user();
  const browser = await Browser.of(world, user);
  for (const username of [...reserved, 'admin']) {
    const refusals = [
      await new Browser(world).post('/sign-up', { username, password: PASSWORD }),
      await new Browser(world).post('/providers/finish', { username }),
      await browser.patch('/me', { username }),
    ];
    for (const refused of refusals) {
      assertRefused(refused, 'INVALID_REQUEST', username, 'username');
      assert.equal(refused.body.error.details[0].reason, 'reserved');
    }
  }
  for (const username of reserved)
    await assert.rejects(
      change(world.data, (work) => createUser(work, { username })),
      /reserved/,
    );
  const admin: Json = await change(world.data, (work) => createUser(work, { username: 'admin' }));
  const own = await Browser.of(world, admin);
  assert.equal(dataOf(await own.patch('/me', { username: 'admin', name: 'Ada' })).name, 'Ada');
  for (const username of ['everyone2', 'deleted', 'administrator', 'all.of.us'])
    dataOf(await (await Browser.of(world, await world.user())).patch('/me', { username }), username);
});

test("a key's agent never has an erased user's username", async () => {
  for (const name of ['Deleted', 'deleted things', 'Everyone', 'admin', '名前']) {
    const { userId } = await scene.secret({ kind: 'apiKey', name });
    const { username } = dataOf(await scene.admin.get(`/users/${userId}`));
    assert.doesNotMatch(username, /^(?:deleted-.*|everyone|admin)$/, name);
  }
});

test('a message needs something visible, unless it has files', async () => {
  const { id: channelId } = await scene.place();
  const { id } = await scene.message({ channelId, content: 'seen' });
  for (const content of ['', ...blank, '\u200d\u2060\n\u034f']) {
    for (const refused of [
      await scene.admin.post('/messages', { channelId, content }),
      await scene.admin.post('/messages', { channelId, content, attachmentIds: [] }),
      await scene.admin.patch(`/messages/${id}`, { content }),
    ]) {
      assertRefused(refused, 'INVALID_REQUEST', JSON.stringify(content), 'content');
      assert.equal(refused.body.error.details[0].reason, 'blank');
    }
  }
  for (const content of ['', '\u200b']) {
    const { id: attachmentId } = dataOf(await upload(world, scene.admin, Buffer.from('words')));
    const sent = await scene.make('/messages', { channelId, content, attachmentIds: [attachmentId] });
    assert.equal(sent.content, content);
    dataOf(await scene.admin.patch(`/messages/${sent.id}`, { content: 'words' }));
    assert.equal(dataOf(await scene.admin.patch(`/messages/${sent.id}`, { content })).content, content);
  }
});
