import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import pino from 'pino';
import { find, q } from '../../server/src/db/statements.ts';
import { startUpkeep } from '../../server/src/removal/index.ts';
import { Sweeper } from '../../server/src/removal/sweeper.ts';
import { addMembers, addReplies, giveAll } from '../support/crowds.ts';
import { dataOf, idsOf } from '../support/expect.ts';
import { endOf, logOf } from '../support/log.ts';
import { until } from '../support/process.ts';
import { Scene } from '../support/scene.ts';
import { type Json, TestClock, World } from '../support/world.ts';

const HOLDERS = 900;
/** The time for which a dead process's lease keeps others from sweeping. */
const LEASE_MS = 5_000;

const clock = new TestClock();
let world: World;
let beside: World;
let scene: Scene;
let users: Json[];
let role: Json;
let held: Json[];

before(async () => {
  world = await World.open({ clock });
  beside = await World.open({ clock, place: world.place });
  scene = await Scene.open(world);
  users = await addMembers(world, scene.server.id, HOLDERS);
});
after(async () => {
  await beside.close();
  await world.close();
});

beforeEach(async () => {
  role = await scene.role();
  held = await giveAll(world, role, users);
});

const left = async () => (await world.data.db.read.all(find('userRole', { roleId: role.id }))).length;
const marks = () => world.data.db.read.all(find('sweep', {}));
const removeRole = async () => dataOf(await scene.admin.delete(`/roles/${role.id}`));

test('two processes sweep the same rows only once', async () => {
  const start = await endOf(world, scene.server.id);
  await removeRole();
  await Promise.all([world.tidy(), beside.tidy()]);
  assert.equal(await left(), 0);
  assert.deepEqual(await marks(), []);
  const events = await logOf(world, scene.server.id, start);
  const told = events.filter(({ type }) => type === 'userRole.deleted').map(({ data }) => data);
  assert.deepEqual(idsOf(told).sort(), idsOf(held).sort());
});

test('a sweep leased by another process is left alone until the lease expires', async () => {
  await removeRole();
  const before = await left();
  const owner = { owner: 'another', ownedUntil: clock.at + LEASE_MS };
  await world.data.db.write((tx) => tx.run(q.updateTable('sweep').set(owner).where('id', '=', role.id)));
  await world.tidy();
  assert.equal(await left(), before);
  clock.advance(LEASE_MS);
  await world.tidy();
  assert.equal(await left(), 0);
});

test('a running node sweeps soon after a delete, and releases its leases when it stops', async () => {
  const thread = await scene.thread();
  await addReplies(world, thread, 2_000);
  const stop = startUpkeep({ ...world.data, feed: world.feed, eventDays: 30 }, pino({ level: 'silent' }));
  dataOf(await scene.admin.delete(`/threads/${thread.id}`));
  await removeRole();
  await until(async () => (await marks()).some(({ owner }) => owner !== null));
  await stop();
  for (const { owner } of await marks()) assert.equal(owner, null);

  const again = startUpkeep({ ...world.data, feed: world.feed, eventDays: 30 }, pino({ level: 'silent' }));
  await until(async () => (await marks()).length === 0, 30_000);
  await again();
  assert.equal(await left(), 0);
  assert.deepEqual(await world.data.db.read.all(find('message', { threadId: thread.id })), []);
});

test('a failing sweep does not delay the others', async () => {
  const other = await Scene.open(world);
  const crowd = await addMembers(world, other.server.id, HOLDERS);
  const later = await other.role();
  await giveAll(world, later, crowd);
  await removeRole();
  dataOf(await other.admin.delete(`/roles/${later.id}`));
  assert.deepEqual(idsOf(await marks()).sort(), [role.id, later.id]);
  const { db } = world.data;
  const failing = new Proxy(db, {
    get(_, name) {
      if (name !== 'write') {
        const value = Reflect.get(db, name, db);
        return typeof value === 'function' ? value.bind(db) : value;
      }
      return async (...[work, serverId, ...rest]: Parameters<typeof db.write>) => {
        if (serverId === scene.server.id) throw new Error('refused');
        return db.write(work, serverId, ...rest);
      };
    },
  });
  const sweeper = new Sweeper({ ...world.data, db: failing, feed: world.feed });
  await until(async () => {
    await sweeper.sweepAll();
    return idsOf(await marks()).join() === role.id;
  });
  const failure = await db.read.first(find('failure', { item: `sweeps:${role.id}` }));
  assert.equal(failure?.reason, 'refused');
});
