import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { loadConfig } from '../../server/src/config.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { find } from '../support/sources.ts';
import { type Answer, type Client, type Json, World } from '../support/world.ts';

const QUOTA = 12;
/** The number of concurrent requests, which exceeds the quota. */
const AT_ONCE = 30;

let world: World;
before(async () => {
  world = await World.open({ quotas: { '*': QUOTA, metaBytes: 100, configBytes: 100 } });
});
after(() => world.close());

interface Case {
  quota: string;
  /** The path of the insert. `remove` is the path of a delete that frees quota. */
  path: string;
  remove: string;
  /** Prepares `count` bodies. */
  bodies(scene: Scene, count: number): Promise<object[]>;
  /** The number of rows that count towards the quota. */
  rows(serverId: string): Promise<number>;
}

const all = async (table: Parameters<typeof find>[0], where: object): Promise<Json[]> =>
  world.data.db.read.all(find(table, where as never));
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const named =
  (stem: string, fields: object = {}) =>
  async (_scene: Scene, count: number) =>
    times(count, () => ({ name: world.unique(stem), ...fields }));

/** Apps in the registry, from as many servers as the quota of apps requires. */
async function registered(_scene: Scene, count: number): Promise<Json[]> {
  const sources = await Promise.all(times(Math.ceil(count / QUOTA), () => Scene.open(world)));
  return Promise.all(times(count, (index) => (sources[index % sources.length] as Scene).submitted()));
}

const url = 'https://example.com/palaver';
const cases: Case[] = [
  {
    quota: 'channels',
    path: '/channels',
    remove: '/channels',
    bodies: named('channel'),
    rows: async (serverId) => (await all('channel', { serverId })).length,
  },
  {
    quota: 'roles',
    path: '/roles',
    remove: '/roles',
    bodies: named('role'),
    rows: async (serverId) => (await all('role', { serverId })).length,
  },
  {
    quota: 'apps',
    path: '/apps',
    remove: '/apps',
    bodies: named('app'),
    rows: async (serverId) => (await all('app', { serverId })).length,
  },
  {
    quota: 'appInstalls',
    path: '/app-installs',
    remove: '/app-installs',
    bodies: async (scene, count) => (await registered(scene, count)).map(({ id }) => ({ appId: id })),
    rows: async (serverId) => (await all('appInstall', { serverId })).length,
  },
  {
    quota: 'secrets',
    path: '/secrets',
    remove: '/secrets',
    bodies: (scene, count) => named('key', { kind: 'apiKey', userId: scene.owner.id })(scene, count),
    rows: async (serverId) => (await all('secret', { serverId })).length,
  },
  {
    quota: 'webhooks',
    path: '/webhooks',
    remove: '/webhooks',
    bodies: named('webhook', { url }),
    rows: async (serverId) => (await all('webhook', { serverId, direction: 'out' })).length,
  },
];

const isUsedUp = (answer: Answer, quota: string, words: RegExp = /./): void => {
  assertRefused(answer, 'INVALID_REQUEST', quota);
  assert.match(
    answer.body.error.message,
    new RegExp(`^the quota "${quota}" is used up: a server can have 12 `),
  );
  assert.match(answer.body.error.message, words);
};

for (const { quota, path, remove, bodies, rows } of cases) {
  test(`${quota}: ${AT_ONCE} concurrent requests succeed only up to the quota, and another one after a delete`, async () => {
    const scene = await Scene.open(world);
    const room = QUOTA - (await rows(scene.server.id));
    assert.ok(room > 0);
    const [last, ...given] = await bodies(scene, AT_ONCE + 1);
    const answers = await Promise.all(given.map((body) => scene.admin.post(path, body)));
    const made = answers.filter(({ status }) => status === 200);
    for (const answer of answers) if (answer.status !== 200) isUsedUp(answer, quota);
    assert.equal(made.length, room);
    assert.equal(await rows(scene.server.id), QUOTA);
    isUsedUp(await scene.admin.post(path, last), quota);
    dataOf(await scene.admin.delete(`${remove}/${made[0]?.data.id}`));
    dataOf(await scene.admin.post(path, last));
    isUsedUp(await scene.admin.post(path, given[0]), quota);
    // Another server has its own quota.
    const other = await Scene.open(world);
    const [body] = await bodies(other, 1);
    dataOf(await other.admin.post(path, body));
  });
}

test("agents: keys and incoming webhooks count together; a person's keys do not", async () => {
  const scene = await Scene.open(world);
  const { id: channelId } = await scene.channel();
  const answers = await Promise.all([
    ...times(4, () => scene.admin.post('/secrets', { kind: 'apiKey', name: 'Bot' })),
    ...times(AT_ONCE, () => scene.admin.post('/webhooks', { direction: 'in', channelId })),
  ]);
  assert.equal(answers.filter(({ status }) => status === 200).length, QUOTA);
  for (const answer of answers) if (answer.status !== 200) isUsedUp(answer, 'agents', /incoming webhooks/);
  const members = await all('serverMember', { serverId: scene.server.id, isAgent: true });
  assert.equal(members.length, QUOTA);
  isUsedUp(await scene.admin.post('/secrets', { kind: 'apiKey', name: 'Bot' }), 'agents');
  const own = { kind: 'apiKey', name: 'Mine', userId: scene.owner.id };
  dataOf(await scene.admin.post('/secrets', own));
  dataOf(await scene.admin.post('/webhooks', { url }));
  dataOf(await scene.admin.delete(`/server-members/${members[0]?.id}`));
  dataOf(await scene.admin.post('/secrets', { kind: 'apiKey', name: 'Bot' }));
});

test("agents: removing an agent's last key or webhook frees its slot", async (t) => {
  const free = await World.open({ quotas: { agents: 3 } });
  t.after(() => free.close());
  const scene = await Scene.open(free);
  const mint = () => scene.admin.post('/secrets', { kind: 'apiKey', name: 'Bot' });
  const isFull = async () =>
    assert.match((await mint()).body.error?.message, /^the quota "agents" is used up/);
  const { id: channelId } = await scene.channel();
  for (let run = 0; run < 5; run++) dataOf(await scene.admin.delete(`/secrets/${dataOf(await mint()).id}`));
  const [key] = [dataOf(await mint()), dataOf(await mint())];
  // Two keys for one agent count once.
  const second = dataOf(
    await scene.admin.post('/secrets', { kind: 'apiKey', name: 'B', userId: key.userId }),
  );
  const hook = dataOf(await scene.admin.post('/webhooks', { direction: 'in', channelId }));
  await isFull();
  dataOf(await scene.admin.delete(`/secrets/${second.id}`));
  await isFull();
  dataOf(await scene.admin.delete(`/webhooks/${hook.id}`));
  dataOf(await mint());
  await isFull();
});

test('appInstalls: an install from the registry counts', async () => {
  const scene = await Scene.open(world);
  const apps = await registered(scene, QUOTA + 1);
  for (const { id } of apps.slice(0, QUOTA))
    dataOf(await scene.admin.post('/apps/install-from-registry', { id }));
  isUsedUp(await scene.admin.post('/apps/install-from-registry', { id: apps[QUOTA]?.id }), 'appInstalls');
});

test("a server at its quota still returns permission errors, and replays a key's first response", async () => {
  const scene = await Scene.open(world);
  const body = { name: world.unique('first') };
  const key = { 'idempotency-key': 'first' };
  const first = dataOf(await scene.admin.post('/channels', body, key));
  await Promise.all(times(QUOTA, () => scene.admin.post('/channels', { name: world.unique('channel') })));
  const nobody = await world.client(scene.server);
  assertRefused(await nobody.post('/channels', { name: 'mine' }), 'FORBIDDEN');
  assert.deepEqual(dataOf(await scene.admin.post('/channels', body, key)), first);
  dataOf(await scene.admin.patch(`/channels/${first.id}`, { description: 'changed' }));
});

test('operator commands can exceed a quota', async () => {
  const scene = await Scene.open(world);
  for (let count = 0; count < QUOTA + 2; count++) await world.client(scene.server);
  assert.ok((await all('secret', { serverId: scene.server.id })).length > QUOTA);
  isUsedUp(await scene.admin.post('/secrets', { kind: 'apiKey', name: 'Bot' }), 'secrets');
});

/** A JSON value of this many bytes in UTF-8, mostly of non-ASCII characters. */
const jsonOf = (bytes: number): string[] => {
  const fixed = '[""]'.length;
  const text = 'ü'.repeat((bytes - fixed) >> 1) + 'x'.repeat((bytes - fixed) % 2);
  return [text];
};

test('metaBytes and configBytes count the bytes of JSON exactly', async () => {
  const scene = await Scene.open(world);
  const { admin } = scene;
  const app = await scene.app({ meta: jsonOf(100) });
  const tooLong = [
    [await admin.post('/apps', { meta: jsonOf(101) }), 'meta'],
    [await admin.patch(`/apps/${app.id}`, { meta: { deep: jsonOf(101) } }), 'meta'],
    [await admin.post('/app-installs', { appId: app.id, config: jsonOf(101) }), 'config'],
  ] as const;
  for (const [answer, field] of tooLong) {
    assertRefused(answer, 'INVALID_REQUEST', field, field);
    assert.match(answer.body.error.message, new RegExp(`bytes as JSON\\. The quota "${field}Bytes" is 100$`));
  }
  dataOf(await admin.patch(`/apps/${app.id}`, { meta: null }));
  dataOf(await admin.patch(`/apps/${app.id}`, { meta: jsonOf(100) }));
  dataOf(await admin.post('/app-installs', { appId: app.id, config: jsonOf(100) }));
});

test('the default quotas apply unless the operator sets others', () => {
  const quotas = (value?: string) =>
    loadConfig({ data: world.folder }, value === undefined ? {} : { PALAVER_QUOTAS: value }).config.quotas;
  const defaults = {
    channels: 2_000,
    roles: 1_000,
    secrets: 2_000,
    agents: 2_000,
    apps: 1_000,
    appInstalls: 1_000,
    invites: 2_000,
    invitations: 1_000,
    categories: 200,
    emoji: 500,
    reports: 1_000,
    wordRules: 200,
    commands: 100,
    interactions: 2_000,
    exports: 10,
    flows: 1_000,
    webhooks: 20,
    fileMegabytes: 10_000,
    metaBytes: 262_144,
    configBytes: 262_144,
    triggerBytes: 65_536,
    stepsBytes: 262_144,
  };
  assert.deepEqual(quotas(), defaults);
  assert.deepEqual(quotas('{"webhooks": 50}'), { ...defaults, webhooks: 50 });
  assert.deepEqual(
    quotas('{"*": 0, "roles": 5}'),
    Object.fromEntries(Object.keys(defaults).map((name) => [name, name === 'roles' ? 5 : 0])),
  );
  for (const wrong of [
    'nonsense',
    '[]',
    '{"channel": 5}',
    '{"roles": -1}',
    '{"roles": 1.5}',
    '{"roles": "5"}',
  ])
    assert.throws(() => quotas(wrong), /^ConfigError: PALAVER_QUOTAS |PALAVER_QUOTAS/, wrong);
});

test('a quota of 0 means unlimited, and a server that already exceeds a new quota keeps all of its records', async () => {
  const scene = await Scene.open(world);
  const make = async (client: Client) => client.post('/roles', { name: world.unique('role') });
  const { place } = world;
  const free = await World.open({ place, quotas: { '*': 0 } });
  try {
    const client = free.as(scene.admin.key);
    for (let count = 0; count < QUOTA + 3; count++) dataOf(await make(client));
  } finally {
    await free.close();
  }
  isUsedUp(await make(scene.admin), 'roles');
  assert.ok((await all('role', { serverId: scene.server.id })).length > QUOTA);
});
