import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { skeletonOf } from '../../server/src/lib/confusables.ts';
import { nameMembers } from '../../server/src/resources/serverMember/lookAlike.ts';
import { Browser } from '../support/account.ts';
import { dataOf } from '../support/expect.ts';
import { logOf } from '../support/log.ts';
import { Scene } from '../support/scene.ts';
import { q } from '../support/sources.ts';
import { type Json, listAll, World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open();
});
after(() => world.close());

const open = async () => {
  scene = await Scene.open(world);
};

const join = async (name: string, more: Json = {}): Promise<Json> => {
  const user = await world.user({ name, ...more });
  await world.member(scene.server, user);
  return user;
};

const marks = async (): Promise<Record<string, Json | null>> =>
  Object.fromEntries(
    (await listAll(scene.admin, `/servers/${scene.server.id}/members`)).map((one) => [
      one.userId,
      one.lookAlike,
    ]),
  );

const of = (user: Json) => ({ of: 'member', userId: user.id });

test('skeletons are equal for names that are hard to tell apart, and differ for others', () => {
  const alike: [string, string][] = [
    ['Admin', '\u0410dmin'],
    ['PaypaI', 'Paypal'],
    ['rnax', 'max'],
    ['Ada Lovelace', 'ada  lovelace.'],
    ['Ada', '\u{1d400}\u{1d41d}\u{1d41a}'],
    ['\u0391da', 'ADA'],
    ['ada', 'a\u200bda'],
  ];
  for (const [one, other] of alike) assert.equal(skeletonOf(one), skeletonOf(other), one);
  const apart: [string, string][] = [
    ['Anna', 'Hanna'],
    ['Kai', 'Kal'],
    ['M\u00fcller', 'Muller'],
    ['\u674e', '\u674e\u674e'],
    ['!', '?'],
  ];
  for (const [one, other] of apart) assert.notEqual(skeletonOf(one), skeletonOf(other), one);
});

test("a member whose new name looks like another member's is marked, in reads and events", async () => {
  await open();
  const first = await join('Grace Hopper', { username: 'paypal' });
  const twin = await join('Gr\u0430ce H\u043epper');
  const nicked = await join('Somebody');
  const likeUsername = await join('Someone', { username: 'paypa1' });
  const other = await join('Margaret Hamilton');
  const member = (await listAll(scene.admin, `/servers/${scene.server.id}/members`)).find(
    ({ userId }) => userId === nicked.id,
  ) as Json;
  await scene.admin.patch(`/server-members/${member.id}`, { nickname: 'grace hopper' });
  const found = await marks();
  assert.equal(found[first.id], null);
  assert.deepEqual(found[twin.id], of(first));
  assert.deepEqual(found[nicked.id], of(first));
  assert.deepEqual(found[likeUsername.id], of(first));
  assert.equal(found[other.id], null);
  const told = (await logOf(world, scene.server.id)).filter(({ type }) => type.startsWith('serverMember.'));
  const last = (id: string) => told.findLast(({ data }) => data.userId === id)?.data.lookAlike;
  assert.deepEqual(last(twin.id), of(first));
  assert.deepEqual(last(nicked.id), of(first));

  // The mark is removed once the other name changes.
  await scene.admin.patch(`/server-members/${member.id}`, { nickname: 'Nobody else' });
  assert.equal((await marks())[nicked.id], null);
});

test('a rename marks the renamed member, and unmarks others whose names looked like the previous name', async () => {
  await open();
  const first = await join('Katherine Johnson');
  const twin = await join('Kath\u0435rine Johnson');
  const browser = await Browser.of(world, first, scene.server);
  dataOf(await browser.patch('/me', { name: 'Katherine Coleman' }));
  await world.tidy();
  assert.equal((await marks())[twin.id], null);
  dataOf(await browser.patch('/me', { name: 'Katherine J\u043ehnson' }));
  await world.tidy();
  assert.deepEqual((await marks())[first.id], of(twin));
});

test('an admin is never marked for resembling a member: the member is marked', async () => {
  await open();
  const member = await join('The Boss');
  const owner = await Browser.of(world, scene.owner, scene.server);
  dataOf(await owner.patch('/me', { name: 'The B\u043ess' }));
  await world.tidy();
  const found = await marks();
  assert.deepEqual(found[member.id], of(scene.owner));
  assert.equal(found[scene.owner.id], null);
  // Newcomers look like the admin, not like the member who is marked already.
  const newcomer = await join('the boss');
  assert.deepEqual((await marks())[newcomer.id], of(scene.owner));
});

test("names that look like the product's or a platform admin's are marked, even in servers without such a member", async () => {
  await open();
  await world.user({ name: 'Radia Perlman', platformAdmin: true });
  const own = await join('P\u0430laver');
  const system = await join('SYSTEM');
  const admin = await join('R\u0430dia Perlman');
  const real = await join('System', { platformAdmin: true });
  const found = await marks();
  assert.deepEqual(found[own.id], { of: 'platform', userId: null });
  assert.deepEqual(found[system.id], { of: 'platform', userId: null });
  assert.deepEqual(found[admin.id], { of: 'admin', userId: null });
  assert.notEqual(found[real.id]?.of, 'platform');
});

test('upkeep compares existing members: the oldest keeps the name', async () => {
  await open();
  const users: Json[] = [];
  for (let made = 0; made < 60; made++) users.push(await join('Hedy Lamarr'));
  const cleared = { nameSkeleton: null, usernameSkeleton: null, lookAlike: null };
  await world.data.db.write((tx) =>
    tx.run(q.updateTable('serverMember').set(cleared).where('serverId', '=', scene.server.id)),
  );
  await nameMembers(world.data.db, async () => true);
  const found = await marks();
  assert.equal(found[users[0]?.id], null);
  for (const user of users.slice(1)) assert.deepEqual(found[user.id], of(users[0] as Json));
});
