import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isFull } from '../../server/src/accounts/room.ts';
import { form } from '../support/apps.ts';
import { change } from '../support/sources.ts';
import { World } from '../support/world.ts';

// Pending sign-in requests from unauthenticated clients: no network may use up the whole quota.

const ROOM = { all: 16, ofAddress: 4 };
let world: World;
before(async () => {
  world = await World.open({ proxies: 1 });
});
after(() => world.close());

/** Starts a device authorization from an address. */
async function begin(address: string): Promise<void> {
  const { status } = await world.request('POST', `${world.url}/oauth/device_authorization`, {
    raw: 'client_id=An+app',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': address },
  });
  assert.equal(status, 200);
}

const full = (network: string): Promise<boolean> =>
  change(world.data, (work) => isFull(work, 'approval', network, ROOM));

test("one site's networks take at most three quarters of all slots, and other sites still get one", async () => {
  for (let network = 1; network <= 12; network++) {
    assert.equal(await full(`2001:db8:1:${network.toString(16)}::/64`), false, `${network}`);
    await begin(`2001:db8:1:${network.toString(16)}::1`);
  }
  assert.equal(await full('2001:db8:1:ff::/64'), true);
  for (const other of ['2001:db8:2:1::/64', '2001:db8:11:1::/64', '192.0.2.1'])
    assert.equal(await full(other), false);
  for (let count = 0; count < 4; count++) await begin('192.0.2.1');
  for (const any of ['192.0.2.1', '192.0.2.2', '2001:db8:2:1::/64']) assert.equal(await full(any), true);
  assert.equal((await form(world, 'device_authorization', { client_id: 'An app' })).status, 200, 'of 10,000');
});
