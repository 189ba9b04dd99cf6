import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { find } from '../../server/src/db/statements.ts';
import { addMembers, giveAll } from '../support/crowds.ts';
import { assertRefused, dataOf, idsOf } from '../support/expect.ts';
import { endOf, type Logged, logOf } from '../support/log.ts';
import { Scene } from '../support/scene.ts';
import { type Json, listAll, World } from '../support/world.ts';

const HOLDERS = 700;

let world: World;
let scene: Scene;
let role: Json;
let other: Json;
let users: Json[];
let held: Json[];
let start: number;

before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
  role = await scene.role();
  other = await scene.role();
  users = await addMembers(world, scene.server.id, HOLDERS);
  held = await giveAll(world, role, users);
  await giveAll(world, other, users.slice(-1));
  start = await endOf(world, scene.server.id);
});
after(() => world.close());

const heldNow = () => world.data.db.read.all(find('userRole', { roleId: role.id }));
const members = () => listAll(scene.admin, `/servers/${scene.server.id}/members`);
const idsIn = (events: readonly Logged[], type: string, id: (data: Json) => string) =>
  events.filter((event) => event.type === type).map(({ data }) => id(data));

test('a deleted role with many holders loses its effect immediately, for members and keys', async () => {
  const client = await world.clientWithRole(scene.server, role);
  start = await endOf(world, scene.server.id);
  dataOf(await scene.admin.delete(`/roles/${role.id}`));
  assertRefused(await client.get('/servers'), 'INVALID_API_KEY');
  assertRefused(await scene.admin.get(`/roles/${role.id}`), 'NOT_FOUND');
  assert.ok((await members()).every(({ roleIds }) => !roleIds.includes(role.id)));
  const left = await heldNow();
  assert.ok(left.length > 0 && left.length < HOLDERS);

  const [first, second, third] = await logOf(world, scene.server.id, start);
  assert.deepEqual(
    [first, second, third].map((event) => event?.type),
    ['role.deleted', 'secret.deleted', 'userRole.deleted'],
  );
});

test('a deleted role cannot be assigned or removed, but an event reports when one of its holders leaves', async () => {
  const { admin, server } = scene;
  const [one, two] = await heldNow();
  assertRefused(await admin.delete(`/user-roles/${one?.id}`), 'NOT_FOUND');
  assertRefused(await admin.post('/user-roles', { userId: one?.userId, roleId: role.id }), 'NOT_FOUND');
  const member = await world.data.db.read.first(
    find('serverMember', { serverId: server.id, userId: two?.userId as string }),
  );
  const before = await endOf(world, server.id);
  dataOf(await admin.delete(`/server-members/${member?.id}`));
  const events = await logOf(world, server.id, before);
  assert.deepEqual(
    idsIn(events, 'userRole.deleted', ({ id }) => id),
    [two?.id],
  );
});

test('other roles of the holders can be assigned and removed', async () => {
  const { admin } = scene;
  const [one] = await heldNow();
  const given = await scene.make('/user-roles', { userId: one?.userId, roleId: other.id });
  const shown = (await members()).find(({ userId }) => userId === one?.userId);
  assert.deepEqual(shown.roleIds, [other.id]);
  dataOf(await admin.delete(`/user-roles/${given.id}`));
});

test('the sweep removes the role from every holder, with one event each', async () => {
  await world.tidy();
  assert.deepEqual(await heldNow(), []);
  assert.deepEqual(await world.data.db.read.all(find('sweep', { id: role.id })), []);
  const events = await logOf(world, scene.server.id, start);
  const ofRole = events.filter(({ type, data }) => type === 'userRole.deleted' && data.roleId === role.id);
  assert.deepEqual(idsOf(ofRole.map(({ data }) => data)).sort(), idsOf(held).sort());
  assert.ok(ofRole.every(({ actorId }) => actorId === scene.owner.id));

  const told = new Map(
    events.filter(({ type }) => type === 'serverMember.updated').map(({ data }) => [data.userId, data]),
  );
  const now = await members();
  assert.ok(now.length >= HOLDERS);
  for (const member of now.filter(({ userId }) => users.some(({ id }) => id === userId))) {
    assert.deepEqual(told.get(member.userId), member, 'the latest event about a member matches the read');
  }
});

test('a role with few holders leaves nothing to sweep', async () => {
  const small = await scene.role();
  const given = await giveAll(world, small, users.slice(0, 5));
  const before = await endOf(world, scene.server.id);
  dataOf(await scene.admin.delete(`/roles/${small.id}`));
  assert.deepEqual(await world.data.db.read.all(find('sweep', { id: small.id })), []);
  const events = await logOf(world, scene.server.id, before);
  assert.deepEqual(
    idsIn(events, 'userRole.deleted', ({ id }) => id),
    idsOf(given),
  );
});
