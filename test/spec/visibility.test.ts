import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { operations, pathOf, type ReadRow, reads } from '../rows/index.ts';
import { Browser } from '../support/account.ts';
import { engine } from '../support/databases.ts';
import { assertRefused, dataOf, idsOf } from '../support/expect.ts';
import { granted } from '../support/grants.ts';
import { type Flag, flagTable } from '../support/rules.ts';
import { Scene } from '../support/scene.ts';
import { type Client, type Json, listAll, World } from '../support/world.ts';

let world: World;
let scene: Scene;
let open: Scene;
let closed: Scene;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
  open = await Scene.open(world);
  closed = await Scene.open(world);
  dataOf(await closed.admin.patch(`/servers/${closed.server.id}`, { private: true }));
});
after(() => world.close());

const NOBODY = '0193a5f0-7b1c-7d2e-8f3a-4b5c6d7e8f90';

test('a record that does not exist is NOT_FOUND for every caller', async () => {
  // The engine does not affect permissions, so one caller is enough on PostgreSQL.
  const clients = [scene.admin, ...(engine === 'sqlite' ? [await world.client(scene.server)] : [])];
  for (const operation of operations.filter(({ path }) => path.includes(':'))) {
    for (const id of [NOBODY, 'none', '%20', scene.server.id.toUpperCase()]) {
      for (const { key } of clients) {
        const required: Record<string, object> = {
          messageAppend: { offset: 0, text: 'Hello' },
          messageSave: { content: 'Hello' },
          webhookReplay: { after: 'none' },
          wordRuleInsert: { pattern: 'zzyzx', action: 'hold' },
        };
        const answer = await world.request(operation.method, pathOf(operation, id), {
          ...(/PATCH|POST/.test(operation.method) && { body: required[operation.name] ?? {} }),
          headers: { authorization: `Bearer ${key}` },
        });
        assertRefused(answer, 'NOT_FOUND', `${operation.name} ${id}`);
      }
    }
  }
});

const pathIn = async (row: ReadRow, of: Scene): Promise<string> => pathOf(row, (await row.ready(of)).id);
const seenAs = (...sights: ReadRow['sight'][]): ReadRow[] =>
  reads.filter(({ sight }) => sights.includes(sight));

test('a key can read its own server, regardless of its flags', async () => {
  const client = await world.client(closed.server);
  for (const row of seenAs('anyone', 'public', 'server', 'channel', 'profile', 'own')) {
    const path = await pathIn(row, closed);
    dataOf(await client.get(path), path);
  }
});

/** The paths of all reads that require a key for the server; for lists, also with a filter. */
async function insidesOf(of: Scene): Promise<string[]> {
  const paths: string[] = [];
  for (const row of seenAs('server', 'channel', 'secrets', 'canViewData', 'canEditApp')) {
    const path = await pathIn(row, of);
    paths.push(path);
    if (row.filters?.q) paths.push(`${path}?q=a`);
  }
  return paths;
}

test("a key cannot read another server's records, public or private", async () => {
  const member = await world.user();
  await world.member(open.server, member);
  await world.member(closed.server, member);
  const clients: Record<string, Client> = {
    'an admin': scene.admin,
    'a member, with a key of another server': await world.client(scene.server, ['canAdmin'], member),
    'the creator, with a key of another server': await world.client(scene.server, ['canAdmin'], open.owner),
    'a platform admin': await world.client(
      scene.server,
      ['canViewData'],
      await world.user({ platformAdmin: true }),
    ),
  };
  for (const other of [open, closed]) {
    for (const path of await insidesOf(other)) {
      dataOf(await other.admin.get(path), path);
      for (const [who, client] of Object.entries(clients)) {
        const refusal = await client.get(path);
        assertRefused(refusal, 'FORBIDDEN', `${who} ${path}`);
        // The error must not say that anyone has access. Apps are excluded, because they can be public.
        if (!path.startsWith('/apps/')) assert.doesNotMatch(JSON.stringify(refusal.body), /anyone/, path);
      }
    }
  }
});

test("a grant can only read its own server, and no other servers' records, not even public ones", async () => {
  const user = await world.user();
  for (const { server } of [scene, open, closed]) await world.member(server, user);
  const role = await scene.role({ canAdmin: true });
  await scene.make('/user-roles', { userId: user.id, roleId: role.id });
  const browser = await Browser.of(world, user);
  const { token } = await granted(world, browser, scene.server.id, { flags: ['canAdmin'] });
  const client = world.as(token);
  for (const path of await insidesOf(scene)) dataOf(await client.get(path), path);
  assert.deepEqual(idsOf(await listAll(client, '/servers')), [scene.server.id]);
  for (const other of [open, closed]) {
    const visible = [`/servers/${other.server.id}`, `/invites/${(await other.invite()).id}`];
    for (const path of [...visible, ...(await insidesOf(other)), '/servers/joinable'])
      assertRefused(await client.get(path), 'FORBIDDEN', path);
  }
});

test("a public server's record is readable by all; a private one's only by keys for the server", async () => {
  assert.equal(dataOf(await scene.admin.get(`/servers/${open.server.id}`)).id, open.server.id);
  assertRefused(await scene.admin.get(`/servers/${closed.server.id}`), 'FORBIDDEN');
  assertRefused(await scene.admin.get(`/servers/${closed.server.id}/invites`), 'FORBIDDEN');
});

test("anyone with an invite's id can read it, and it shows the server before joining", async () => {
  const { admin, server } = closed;
  const fields = { name: 'Members only', icon: 'https://example.com/icon.png', description: 'Come in' };
  dataOf(await admin.patch(`/servers/${server.id}`, fields));
  const invite = await closed.invite({ maxUses: 2 });
  const { memberCount } = dataOf(await admin.get(`/servers/${server.id}`));
  for (const client of [scene.admin, await world.client(open.server)]) {
    const shown = dataOf(await client.get(`/invites/${invite.id}`));
    assert.deepEqual(shown.server, { id: server.id, ...fields, memberCount });
    assert.deepEqual({ ...shown, server: undefined }, { ...invite, server: undefined });
  }
  dataOf(await scene.admin.get(`/invites/${(await open.invite()).id}`));
});

test("server lists contain the user's own servers and public ones", async () => {
  const user = await world.user();
  const client = await world.client(scene.server, [], user);
  assert.deepEqual(idsOf(await listAll(client, '/servers')), [scene.server.id]);
  const joinable = idsOf(await listAll(client, '/servers/joinable'));
  assert.ok(joinable.includes(open.server.id));
  assert.ok(!joinable.includes(closed.server.id) && !joinable.includes(scene.server.id));
  const within = await world.client(closed.server, [], user);
  assert.ok(idsOf(await listAll(within, '/servers')).includes(closed.server.id));
});

for (const row of reads.filter(({ sight }) => flagTable.includes(sight as Flag))) {
  const flag = row.sight as Flag;
  test(`${row.name} needs ${flag}`, async () => {
    const others = flagTable.filter((other) => other !== flag && other !== 'canAdmin');
    const rows: [string, Client, boolean][] = [
      [flag, await world.client(scene.server, [flag]), true],
      ['canAdmin', await world.client(scene.server, ['canAdmin']), true],
      ['no flag', await world.client(scene.server), false],
      ['every other flag', await world.client(scene.server, others), false],
      ['the creator without a flag', await world.client(scene.server, [], scene.owner), false],
      [`${flag} of another server`, await world.client(open.server, [flag]), false],
    ];
    const path = await pathIn(row, scene);
    for (const [who, client, may] of rows) {
      const answer = await client.get(path);
      if (may) dataOf(answer, `${who} ${path}`);
      else assertRefused(answer, 'FORBIDDEN', `${who} ${path}`);
    }
    const { body } = await (await world.client(scene.server)).get(path);
    assert.deepEqual(body.error.details.need, [flag]);
  });
}

test('a profile can be read by the user and by users who share a server with them', async () => {
  const ada = await world.user({ username: 'ada', name: 'Ada' });
  const grace = await world.user();
  const stranger = await world.user();
  const asAda = await world.client(scene.server, [], ada);
  await world.member(scene.server, grace);
  await world.member(open.server, stranger);
  const profile = {
    id: ada.id,
    username: 'ada',
    name: 'Ada',
    image: null,
    type: 'person',
    platformAdmin: false,
    creatorId: null,
  };
  const { createdAt, updatedAt, ...own } = dataOf(await asAda.get(`/users/${ada.id}`));
  assert.deepEqual(own, profile);
  assert.equal(createdAt, updatedAt);
  dataOf(await asAda.get(`/users/${grace.id}`));
  assertRefused(await asAda.get(`/users/${stranger.id}`), 'FORBIDDEN');
  assertRefused(await asAda.get(`/users/${NOBODY}`), 'NOT_FOUND');

  const members = await listAll(scene.admin, `/servers/${scene.server.id}/members`);
  const member = members.find(({ userId }: Json) => userId === grace.id);
  dataOf(await scene.admin.delete(`/server-members/${member.id}`));
  assertRefused(await asAda.get(`/users/${grace.id}`), 'FORBIDDEN', 'who has left');
});

test("apps' keys and secrets are listed without their values, for callers who can create and revoke them", async () => {
  const { id, key } = await scene.secret();
  const { id: appId } = await scene.app();
  const value = 'correct horse battery staple';
  const stored = await scene.make('/secrets', { kind: 'appSecret', name: 'Token', appId, value });
  const path = `/servers/${scene.server.id}/secrets`;
  for (const client of [
    await world.client(scene.server, ['canEditApp']),
    await world.client(scene.server, [], scene.owner),
  ]) {
    const listed = await listAll(client, path);
    const mine = listed.find((secret) => secret.id === client.secret.id);
    assert.equal(mine?.preview, `sk_live_plv_…${client.key.slice(-4)}`);
    assert.ok([id, stored.id].every((made) => idsOf(listed).includes(made)));
    const text = JSON.stringify(listed);
    for (const hidden of [key, client.key, value, 'digest', 'sealed'])
      assert.ok(!text.includes(hidden), `${hidden} is not shown`);
  }
  const others = flagTable.filter((flag) => flag !== 'canEditApp' && flag !== 'canAdmin');
  const refused = await (await world.client(scene.server, others)).get(path);
  assertRefused(refused, 'FORBIDDEN');
  assert.deepEqual(refused.body.error.details.need, ['canEditApp']);
  for (const path of [`/secrets/${id}`, '/secrets'])
    assertRefused(await scene.admin.get(path), 'NOT_FOUND', path);
});
