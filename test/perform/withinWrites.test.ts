import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { present } from '../../server/src/access/authenticator.ts';
import { servicesOf } from '../../server/src/app.ts';
import { remove, update } from '../../server/src/db/statements.ts';
import type { Services } from '../../server/src/operations/services.ts';
import { limitsFrom } from '../support/sources.ts';
import { type Json, World } from '../support/world.ts';

// A write checks the permissions that its own transaction sees: they may have changed while it was queued.

let world: World;
let server: Json;
let services: Services;
before(async () => {
  world = await World.open();
  server = await world.server(await world.user());
  services = servicesOf({ ...world.data, feed: world.feed, limits: limitsFrom({}) });
});
after(() => world.close());

/** A member with a key, whose caller was authenticated before the write begins. */
async function waiting() {
  const user = await world.user();
  await world.member(server, user);
  const { key, secret } = await world.client(server, ['canViewData'], user);
  const caller = await services.authenticator.authenticate(present('apiKey', key));
  const { db } = world.data;
  const within = () => db.write(async (tx) => services.authenticator.within(tx, caller));
  return { user, secret, caller, within, db };
}

test('a write of a key whose user was suspended while it waited is rejected', async () => {
  const { user, caller, within, db } = await waiting();
  assert.equal((await within()).principal.userId, user.id);
  await db.write((tx) => tx.run(update('user', user.id, { suspendedAt: Date.now() })));
  await assert.rejects(within, /suspended/);
  await db.write((tx) => tx.run(update('user', user.id, { suspendedAt: null })));
  assert.equal((await within()).principal.userId, caller.principal.userId);
});

test('a suspension in the same transaction counts, and is forgotten if the transaction fails', async () => {
  const { user, caller, within, db } = await waiting();
  const failing = db.write(async (tx) => {
    await tx.run(update('user', user.id, { suspendedAt: Date.now() }));
    await assert.rejects(async () => services.authenticator.within(tx, caller), /suspended/);
    throw new Error('rolled back');
  });
  await assert.rejects(failing, /rolled back/);
  assert.equal((await within()).principal.userId, user.id);
});

test('a write of a key that was deleted while it waited is rejected', async () => {
  const { secret, within, db } = await waiting();
  await db.write((tx) => tx.run(remove('secret', { id: secret.id })));
  await assert.rejects(within, /does not exist or was revoked/);
});

test('work that a user deferred is rejected while the user is suspended, whether it has a role or not', async () => {
  const { user, db } = await waiting();
  const role = await world.defaultRole(server);
  const deferred = (roleId: string | null) =>
    db.write((tx) =>
      services.authenticator.deferredWithin(tx, { userId: user.id, serverId: server.id, roleId }),
    );
  const ids = [null, role.id as string];
  for (const roleId of ids) assert.equal((await deferred(roleId)).principal.userId, user.id);
  await db.write((tx) => tx.run(update('user', user.id, { suspendedAt: Date.now() })));
  for (const roleId of ids) await assert.rejects(() => deferred(roleId), /suspended/);
});
