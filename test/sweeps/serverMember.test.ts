import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { find, insert } from '../../server/src/db/statements.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { endOf, logOf } from '../support/log.ts';
import { Scene } from '../support/scene.ts';
import { newRow } from '../support/sources.ts';
import { type Client, type Json, listAll, World } from '../support/world.ts';

// Removes a member who has created many agents.

const AGENTS = 60;
/** The number of agents in a chain, in which each agent created the next. */
const CHAIN = 30;

let world: World;
let scene: Scene;
let user: Json;
let minter: Client;
let agents: Json[];
let start: number;

before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
  user = await world.user();
  minter = await world.client(scene.server, ['canAdmin'], user);
  const fields = { kind: 'apiKey', name: 'Bot' };
  agents = await Promise.all(Array.from({ length: AGENTS }, () => scene.make('/secrets', fields, minter)));
  let maker = minter;
  for (let link = 0; link < CHAIN; link++) {
    const { roleId } = minter.secret;
    const made = await scene.make('/secrets', { ...fields, roleId }, maker);
    maker = world.as(made.key);
    agents.push(made);
  }
  start = await endOf(world, scene.server.id);
});
after(() => world.close());

const members = () => listAll(scene.admin, `/servers/${scene.server.id}/members`);
const stored = () => world.data.db.read.all(find('serverMember', { serverId: scene.server.id }));

test("a removed member's keys are revoked and their agents hidden immediately, before the sweep", async () => {
  const shown = await members();
  const { id } = shown.find(({ userId }) => userId === user.id);
  await scene.remove(`/server-members/${id}`);
  for (const { key } of agents) assertRefused(await world.as(key).get('/servers'), 'INVALID_API_KEY');
  assert.deepEqual(
    await members(),
    shown.filter(({ userId }) => userId !== user.id && !agents.some((agent) => agent.userId === userId)),
  );
  assert.deepEqual(await listAll(scene.admin, `/servers/${scene.server.id}/members?q=bot`), []);
  const left = (await stored()).length - (await members()).length;
  assert.ok(left > 0 && left < AGENTS + CHAIN, `${left}`);
});

test('an agent waiting to be swept gets neither a role nor a key', async () => {
  const { userId } = (await stored()).find((row) => row.sponsorId !== null) as Json;
  const { id: roleId } = await scene.make('/roles', { name: 'Late' });
  assertRefused(await scene.admin.post('/user-roles', { userId, roleId }), 'INVALID_REQUEST');
  const key = { kind: 'apiKey', name: 'Late', userId };
  assertRefused(await scene.admin.post('/secrets', key), 'INVALID_REQUEST');
  assertRefused(await scene.admin.post('/server-members', { userId }), 'ALREADY_EXISTS');
});

test('an agent waiting to be swept does not count as an admin', async () => {
  const hidden = (await stored()).find((row) => row.sponsorId !== null);
  const roles = await world.data.db.read.all(
    find('role', { serverId: scene.server.id, isCreatorRole: true }),
  );
  const [creatorRole] = roles as [Json];
  const { db, deps } = world.data;
  await db.write(async (tx) => {
    const fields = { serverId: scene.server.id, userId: hidden?.userId as string, roleId: creatorRole.id };
    await tx.run(insert('userRole', { ...newRow(deps, tx.time()), ...fields }));
  }, scene.server.id);
  const [owner] = (await members()).filter(({ userId }) => userId === scene.owner.id);
  assertRefused(await scene.admin.delete(`/server-members/${owner.id}`), 'FORBIDDEN');
});

test('the sweep removes every agent, with one event each, and updates the number of members', async () => {
  await world.tidy();
  const { memberCount } = dataOf(await scene.admin.get(`/servers/${scene.server.id}`));
  assert.equal(memberCount, (await stored()).length);
  assert.equal(memberCount, (await members()).length);
  const events = await logOf(world, scene.server.id, start);
  const gone = events.filter(({ type }) => type === 'serverMember.deleted').map(({ data }) => data.userId);
  assert.deepEqual(new Set(gone), new Set([user.id, ...agents.map(({ userId }) => userId)]));
  assert.equal(gone.length, AGENTS + CHAIN + 1);
});
