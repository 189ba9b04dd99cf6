import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inserts, pathOf, requestOf } from '../rows/index.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { type Answer, type Client, World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
});
after(() => world.close());

/** The id in the details of ALREADY_EXISTS. Undefined if there is none. */
function namedBy(answer: Answer): string | undefined {
  assertRefused(answer, 'ALREADY_EXISTS');
  const { details } = answer.body.error;
  assert.ok(details === undefined || Object.keys(details).join() === 'id', JSON.stringify(details));
  return details?.id;
}

for (const row of inserts.filter(({ once }) => once)) {
  test(`${row.name}: ALREADY_EXISTS names the existing record`, async () => {
    const { id, body } = await requestOf(row, scene);
    const path = pathOf(row, id);
    const made = await scene.make(path, body ?? {});
    const named = namedBy(await scene.admin.post(path, body));
    if (row.name !== 'appInstallFromRegistry') assert.equal(named, made.id);
    else assert.equal(dataOf(await scene.admin.get(`/app-installs/${named}`)).appId, made.id);
  });
}

test('the error for renaming a channel to a taken name names the other channel', async () => {
  const [taken, spare] = [await scene.channel(), await scene.channel()];
  const answer = await scene.admin.patch(`/channels/${spare.id}`, { name: taken.name.toUpperCase() });
  assert.equal(namedBy(answer), taken.id);
});

test('a private channel is only named to callers who can see it', async () => {
  const role = await scene.role({ canEditChannel: true, canModerate: true });
  const { id, name } = await scene.channel({ private: true, roleIds: [role.id] });
  const spare = await scene.channel();
  const outside = await world.client(scene.server, ['canEditChannel']);
  const inside = world.as((await scene.secret({ roleId: role.id })).key);
  for (const [client, seen] of [
    [outside, undefined],
    [inside, id],
    [scene.admin, id],
  ] as [Client, string | undefined][]) {
    assert.equal(namedBy(await client.post('/channels', { name })), seen);
    assert.equal(namedBy(await client.patch(`/channels/${spare.id}`, { name })), seen);
  }
});

test('an install is only named to callers who can read installs', async () => {
  const { id, appId } = await scene.install();
  const editor = await world.client(scene.server, ['canEditApp']);
  const reader = await world.client(scene.server, ['canEditApp', 'canViewData']);
  assert.equal(namedBy(await editor.post('/app-installs', { appId })), undefined);
  assert.equal(namedBy(await reader.post('/app-installs', { appId })), id);
});

test('a membership in another server is not named', async () => {
  const other = await Scene.open(world);
  const user = await world.user();
  const client = await world.client(scene.server, [], user);
  dataOf(await client.post('/server-members', { serverId: other.server.id }));
  assert.equal(namedBy(await client.post('/server-members', { serverId: other.server.id })), undefined);
  const own = await scene.admin.post('/server-members', { userId: user.id });
  assert.ok(namedBy(own));
});

test("adding a reaction twice names the caller's reaction, not another user's", async () => {
  const { id: messageId } = await scene.message();
  const other = await world.client(scene.server, ['canEditData']);
  const theirs = await scene.make('/reactions', { messageId, emoji: '👀' }, other);
  const mine = await scene.make('/reactions', { messageId, emoji: '👀' });
  assert.notEqual(theirs.id, mine.id);
  assert.equal(namedBy(await scene.admin.post('/reactions', { messageId, emoji: '👀' })), mine.id);
});

test('channel names that differ only in surrounding whitespace are duplicates', async () => {
  const taken = await scene.channel();
  for (const name of [` ${taken.name}`, `${taken.name}\u2003`, ` ${taken.name.toUpperCase()}\u00a0`]) {
    const answer = await scene.admin.post('/channels', { name });
    assertRefused(answer, 'ALREADY_EXISTS', JSON.stringify(name));
    assert.deepEqual(answer.body.error.details, { id: taken.id });
  }
  const name = ` ${crypto.randomUUID()} `;
  assert.equal(dataOf(await scene.admin.post('/channels', { name })).name, name);
});
