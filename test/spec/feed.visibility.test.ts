import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventStream } from '../support/eventStream.ts';
import { dataOf } from '../support/expect.ts';
import { until } from '../support/process.ts';
import type { Flag } from '../support/rules.ts';
import { Scene } from '../support/scene.ts';
import { type Client, type Json, World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
});
after(() => world.close());

const streams: EventStream[] = [];
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close();
});

async function open(client: Client, query: Record<string, string> = {}): Promise<EventStream> {
  const stream = await EventStream.open(world, client.key, query);
  streams.push(stream);
  return stream;
}

/** Waits until streams have sent all events so far, by sending a message in a new public channel. */
async function caughtUp(...streams: EventStream[]): Promise<void> {
  const { id } = await scene.message();
  for (const stream of streams) await stream.event(({ data }) => data.id === id);
}

const typesLogged = async (client: Client, after: string): Promise<string[]> =>
  (await client.get(`/events?after=${after}&limit=100`)).data.map(({ type }: Json) => type);
const cursor = (): Promise<string> => end();
async function end(): Promise<string> {
  const stream = await open(scene.admin);
  return stream.headers['last-event-id'] as string;
}

test('events from a private channel, including its deletion, reach only its viewers, in pages and streams', async () => {
  const role = await scene.role({ canEditData: true });
  const insider = await world.clientWithRole(scene.server, role);
  const outsider = await world.client(scene.server, ['canEditData', 'canViewData', 'canModerate']);
  const after = await cursor();
  const [inside, outside] = [await open(insider), await open(outsider)];
  const channel = await scene.channel({ private: true, roleIds: [role.id] });
  const message = await scene.message({ channelId: channel.id });
  await scene.make('/reactions', { messageId: message.id, emoji: '👍' });
  await scene.thread({ messageId: message.id });
  await scene.make('/pins', { messageId: message.id });
  await scene.indicator({ channelId: channel.id });
  await scene.admin.delete(`/channels/${channel.id}`);
  const expected = [
    'channel.created',
    'message.created',
    'reaction.created',
    'message.updated',
    'thread.created',
    'pin.created',
    'message.updated',
    'channel.deleted',
  ];
  assert.deepEqual(await typesLogged(insider, after), expected);
  assert.deepEqual(await typesLogged(outsider, after), []);
  await caughtUp(inside, outside);
  assert.deepEqual(
    inside.types.filter((type) => type !== 'indicator.created'),
    [...expected, 'channel.created', 'message.created'],
  );
  assert.deepEqual(outside.types, ['channel.created', 'message.created']);
});

test('a channel that becomes private hides its events, old and new; making it public shows them again', async () => {
  const member = await world.client(scene.server, ['canEditData']);
  const channel = await scene.channel();
  const after = await cursor();
  const stream = await open(member);
  const shown = await scene.message({ channelId: channel.id });
  await stream.event(({ data }) => data.id === shown.id);
  dataOf(await scene.admin.patch(`/channels/${channel.id}`, { private: true }));
  const hidden = await scene.message({ channelId: channel.id });
  assert.deepEqual(await typesLogged(member, after), []);
  await caughtUp(stream);
  assert.ok(!stream.events.some(({ data }) => data.id === hidden.id));
  dataOf(await scene.admin.patch(`/channels/${channel.id}`, { private: false }));
  const open2 = await scene.message({ channelId: channel.id });
  await stream.event(({ data }) => data.id === open2.id);
  assert.deepEqual(await typesLogged(member, after), [
    'message.created',
    'channel.updated',
    'message.created',
    'channel.created',
    'message.created',
    'channel.updated',
    'message.created',
  ]);
});

test('a notification only reaches its user', async () => {
  const [ada, bob] = [await world.user({ username: 'ada' }), await world.user({ username: 'bob' })];
  const [hers, his] = [
    await world.client(scene.server, ['canEditData'], ada),
    await world.client(scene.server, ['canEditData'], bob),
  ];
  const after = await cursor();
  const [herStream, hisStream] = [await open(hers), await open(his)];
  const message = await scene.message({ content: '@ada @bob' });
  const isIt = ({ type }: Json) => type === 'notification.created';
  await Promise.all([herStream.event(isIt), hisStream.event(isIt)]);
  for (const [client, stream, user] of [
    [hers, herStream, ada],
    [his, hisStream, bob],
  ] as const) {
    const told = stream.events.filter(isIt);
    const logged = (await client.get(`/events?after=${after}&types=notification.created`)).data;
    assert.deepEqual(logged, told);
    assert.deepEqual(
      told.map(({ data }: Json) => [data.userId, data.messageId]),
      [[user.id, message.id]],
    );
  }
});

test('events about secrets, app installs and flows reach callers who can read them', async () => {
  const having = (...flags: Flag[]) => world.client(scene.server, flags);
  const [data, apps, plain] = [
    await having('canViewData'),
    await having('canEditApp'),
    await having('canEditData'),
  ];
  const after = await cursor();
  await scene.secret();
  await scene.install();
  await world.flow(scene.server);
  const kinds = async (client: Client) =>
    new Set((await typesLogged(client, after)).filter((type) => /^(secret|appInstall|flow)\./.test(type)));
  assert.deepEqual(await kinds(data), new Set(['appInstall.created', 'flow.created']));
  assert.deepEqual(await kinds(apps), new Set(['secret.created']));
  assert.deepEqual(await kinds(plain), new Set());
  assert.equal((await kinds(scene.admin)).size, 3);
  const told = JSON.stringify((await scene.admin.get(`/events?after=${after}&limit=100`)).data);
  assert.doesNotMatch(told, /sk_live_plv_[0-9A-Za-z]{20}/);
});

test('a stream ends within a second when its key is revoked, its member kicked or its role deleted', async () => {
  const ends: [string, (client: Client, role: Json) => Promise<unknown>][] = [
    ['revoked', (client) => scene.admin.delete(`/secrets/${client.secret.id}`)],
    [
      'kicked',
      async (client) => {
        const { data } = await scene.admin.get(`/servers/${scene.server.id}/members?limit=100`);
        const member = data.find(({ userId }: Json) => userId === client.secret.userId);
        dataOf(await scene.admin.delete(`/server-members/${member.id}`));
      },
    ],
    ['role deleted', (_client, role) => scene.admin.delete(`/roles/${role.id}`)],
  ];
  for (const [what, end] of ends) {
    const role = await scene.role({ canEditData: true });
    const client = await world.clientWithRole(scene.server, role);
    const stream = await open(client);
    const after = await cursor();
    const polling = client.get(`/events?after=${after}&wait=10&types=flow.created`);
    await sleep(30);
    await end(client, role);
    const start = performance.now();
    const message = await scene.message();
    await stream.over();
    assert.ok(performance.now() - start < 1_000, what);
    assert.ok(!stream.events.some(({ data }) => data.id === message.id), what);
    await world.flow(scene.server);
    assert.equal((await polling).body.error?.code, 'INVALID_API_KEY', what);
  }
});

test("removing a role from a channel stops the channel's events for its keys", async () => {
  const role = await scene.role({ canEditData: true });
  const channel = await scene.channel({ private: true, roleIds: [role.id] });
  const client = await world.clientWithRole(scene.server, role);
  const stream = await open(client, { channelId: channel.id });
  const seen = await scene.message({ channelId: channel.id });
  await stream.event(({ data }) => data.id === seen.id);
  dataOf(await scene.admin.patch(`/channels/${channel.id}`, { roleIds: [] }));
  const unseen = await scene.message({ channelId: channel.id });
  dataOf(await scene.admin.patch(`/channels/${channel.id}`, { roleIds: [role.id] }));
  const again = await scene.message({ channelId: channel.id });
  await stream.event(({ data }) => data.id === again.id);
  assert.ok(!stream.events.some(({ data }) => data.id === unseen.id));
});

test("a key's streams end when the key expires", async () => {
  const secret = await scene.secret({ expiresAt: Date.now() + 600 });
  const stream = await open(world.as(secret.key));
  const start = performance.now();
  await until(() => stream.isOver);
  assert.ok(performance.now() - start < 1_700);
});
