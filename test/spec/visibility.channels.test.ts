import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { bodies, pathOf, reads, requestOf, type WriteRow, writes } from '../rows/index.ts';
import { Browser } from '../support/account.ts';
import { assertRefused, dataOf, idsOf } from '../support/expect.ts';
import { granted } from '../support/grants.ts';
import { Scene } from '../support/scene.ts';
import { type Client, type Json, listAll, World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
  await prepare();
});
after(() => world.close());

/** Every flag except canAdmin: none of these gives access to a private channel. */
const flags = [
  'canEditChannel',
  'canEditServer',
  'canEditData',
  'canModerate',
  'canEditApp',
  'canViewData',
] as const;

let channel: Json;
let message: Json;
let pin: Json;
let reply: Json;
let open: Json;
/** A scene that creates all records in the private channel. */
let inside: Scene;
const seeing = new Map<string, Client>();
const blind = new Map<string, Client>();

async function prepare(): Promise<void> {
  const role = await scene.role({ canEditData: true });
  const other = await scene.role({ canEditData: true });
  channel = await scene.channel({ private: true, roleIds: [role.id, (await scene.role()).id] });
  open = await scene.message();
  message = await scene.message({ channelId: channel.id, content: 'unmistakable' });
  pin = await scene.make('/pins', { messageId: message.id });
  const thread = await scene.thread({ messageId: message.id });
  reply = await scene.message({ threadId: thread.id, content: 'unmistakable' });
  inside = scene.with({ place: channel });

  seeing.set('a role of roleIds', await world.clientWithRole(scene.server, role));
  seeing.set('canAdmin', await world.client(scene.server, ['canAdmin']));
  seeing.set("the server's creator without a flag", await world.client(scene.server, [], scene.owner));
  blind.set('every flag except canAdmin', await world.client(scene.server, flags));
  blind.set('another role', await world.clientWithRole(scene.server, other));
  const both = await world.user();
  await world.clientWithRole(scene.server, role, both);
  await scene.make('/user-roles', { userId: both.id, roleId: role.id });
  blind.set(
    'another role, though the user has the role',
    await world.clientWithRole(scene.server, other, both),
  );
  seeing.set('a grant, whose user has the role', await grantOf(both, scene.server));
  const owners = await grantOf(scene.owner, scene.server, flags);
  blind.set('a grant of the creator with every flag except canAdmin', owners);
  seeing.set('a grant of the creator with canAdmin', await grantOf(scene.owner, scene.server, ['canAdmin']));
  const elsewhere = await Scene.open(world);
  await world.member(elsewhere.server, both);
  blind.set('a grant for another server, whose user has the role', await grantOf(both, elsewhere.server));
  blind.set('an admin of another server', elsewhere.admin);
  const foreign = await world.server(await world.user());
  blind.set(
    'the creator, with a key of another server',
    await world.client(foreign, ['canAdmin'], scene.owner),
  );
}

async function grantOf(user: Json, server: Json, flags: readonly string[] = []): Promise<Client> {
  const { token } = await granted(world, await Browser.of(world, user), server.id, { flags });
  return { ...world.as(token), secret: { serverId: server.id } };
}

/** The paths of all reads of the channel's records, including a search. */
async function readsOf(): Promise<string[]> {
  const paths = [`/channels/${channel.id}/messages?q=unmistakable`];
  for (const row of reads.filter(({ sight }) => sight === 'channel'))
    paths.push(pathOf(row, (await row.ready(inside)).id));
  return paths;
}

/** All writes to the channel's records. */
async function writesOf(): Promise<{ method: WriteRow['method']; path: string; body: unknown }[]> {
  const concerning = writes.filter(({ channels }) => channels?.includes('private'));
  const requests = concerning.map(async (row) => ({ row, ...(await requestOf(row, inside)) }));
  const forms = bodies
    .filter(({ row, name }) => concerning.includes(row) && name !== row.name)
    .map(async ({ row, ready }) => ({ row, ...(await ready(inside)) }));
  return (await Promise.all([...requests, ...forms])).map(({ row, id, body }) => ({
    method: row.method,
    path: pathOf(row, id),
    body,
  }));
}

test('a private channel can be read by holders of one of its roles, holders of canAdmin and the creator', async () => {
  const paths = await readsOf();
  for (const [who, client] of seeing) {
    for (const path of paths) dataOf(await client.get(path), `${who} ${path}`);
    const found = await listAll(client, `/channels/${channel.id}/messages?q=unmistakable`);
    assert.deepEqual(idsOf(found), [reply.id, message.id], who);
    const listed = await listAll(client, `/channels/${channel.id}/messages`);
    assert.ok(idsOf(listed).includes(message.id), who);
    const pinned = await listAll(client, `/channels/${channel.id}/pins`);
    assert.ok(
      pinned.some((shown) => shown.pin.id === pin.id),
      who,
    );
  }
});

test('all others get FORBIDDEN for every read, regardless of their flags', async () => {
  const paths = await readsOf();
  for (const [who, client] of blind) {
    for (const path of paths) {
      const answer = await client.get(path);
      assertRefused(answer, 'FORBIDDEN', `${who} ${path}`);
      assert.ok(
        !JSON.stringify(answer.body).includes(channel.name),
        'the response does not contain its name',
      );
    }
  }
});

test('all others get FORBIDDEN for every write', async () => {
  const requests = await writesOf();
  const before = await scene.cursor();
  for (const [who, client] of blind) {
    for (const { method, path, body } of requests) {
      const call = { POST: client.post, PATCH: client.patch, DELETE: client.delete }[method];
      assertRefused(await call(path, body), 'FORBIDDEN', `${who} ${method} ${path}`);
    }
  }
  assert.equal(await scene.cursor(), before, 'no event');
});

test('only callers who see the channel find it in lists', async () => {
  const path = `/servers/${scene.server.id}/channels`;
  for (const [who, client] of seeing) {
    const ids = idsOf(await listAll(client, path, 1));
    assert.ok(ids.includes(channel.id) && ids.includes(open.channelId), who);
  }
  for (const [who, client] of blind) {
    if (client.secret.serverId !== scene.server.id) {
      assertRefused(await client.get(path), 'FORBIDDEN', who);
      continue;
    }
    const ids = idsOf(await listAll(client, path, 1));
    assert.ok(!ids.includes(channel.id) && ids.includes(open.channelId), who);
  }
});

test('a public channel can be read and written with every key for its server', async () => {
  const roleIds = [(await scene.role()).id];
  const listed = await scene.channel({ roleIds });
  const { id } = await scene.message({ channelId: listed.id });
  const client = blind.get('another role') as Client;
  dataOf(await client.get(`/messages/${id}`), 'roleIds of a public channel hide nothing');
  dataOf(await client.post('/reactions', { messageId: id, emoji: '👍' }));
});

test('only canAdmin and the creator see a private channel without roles', async () => {
  const lonely = await scene.channel({ private: true });
  assert.deepEqual(lonely.roleIds, []);
  for (const [who, client] of [...seeing, ...blind]) {
    const answer = await client.get(`/channels/${lonely.id}`);
    if (who === 'canAdmin' || who.startsWith("the server's creator") || who.endsWith('with canAdmin'))
      dataOf(answer, who);
    else assertRefused(answer, 'FORBIDDEN', who);
  }
});

test('hiding and showing a channel, and adding and removing a role, take effect with the next request', async () => {
  const role = await scene.role({ canEditData: true });
  const client = await world.clientWithRole(scene.server, role);
  const { id } = await scene.channel();
  const path = `/channels/${id}/messages`;
  dataOf(await client.get(path));
  dataOf(await scene.admin.patch(`/channels/${id}`, { private: true }));
  assertRefused(await client.get(path), 'FORBIDDEN');
  dataOf(await scene.admin.patch(`/channels/${id}`, { roleIds: [role.id] }));
  dataOf(await client.get(path));
  dataOf(await scene.admin.patch(`/channels/${id}`, { roleIds: [] }));
  assertRefused(await client.get(path), 'FORBIDDEN');
  dataOf(await scene.admin.patch(`/roles/${role.id}`, { canAdmin: true }));
  dataOf(await client.get(path));
  dataOf(await scene.admin.patch(`/roles/${role.id}`, { canAdmin: false }));
  assertRefused(await client.get(path), 'FORBIDDEN');
});

test('a mention only notifies users who see the channel', async () => {
  const sees = await world.user();
  const blinded = await world.user();
  const role = await scene.role({ canEditData: true });
  const reader = await world.clientWithRole(scene.server, role, sees);
  const outsider = await world.client(scene.server, ['canEditData'], blinded);
  await scene.make('/user-roles', { userId: sees.id, roleId: role.id });
  const { id } = await scene.channel({ private: true, roleIds: [role.id] });
  const sent = await scene.message({ channelId: id, content: `@${sees.username} @${blinded.username}` });
  assert.deepEqual(
    (await listAll(reader, '/notifications')).map(({ messageId }) => messageId),
    [sent.id],
  );
  assert.deepEqual(await listAll(outsider, '/notifications'), []);
});
