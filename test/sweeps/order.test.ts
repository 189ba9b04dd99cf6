import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Marks } from '../../server/src/removal/marks.ts';
import { sweepEffects, wholeSweeps } from '../../server/src/removal/sweepEffects.ts';
import { Browser } from '../support/account.ts';
import { dataOf, idsOf } from '../support/expect.ts';
import { q } from '../support/sources.ts';
import { type Json, World } from '../support/world.ts';

/** Exceeds the number of servers that a node sweeps at a time. */
const SERVERS = 25;

let world: World;
before(async () => {
  world = await World.open();
});
after(() => world.close());

test('deleted servers do not delay quick sweeps, however many there are', async () => {
  const owner = await world.user();
  const browser = await Browser.of(world, owner);
  for (let number = 0; number < SERVERS; number++) {
    const { id, name } = await world.server(owner);
    browser.place = id;
    dataOf(await browser.post(`/servers/${id}/delete`, { name }));
  }
  // This user was created after all servers, so its id sorts last.
  const user: Json = await world.user();
  const own = await Browser.of(world, user);
  dataOf(await own.patch('/me', { name: 'Ada King' }));

  const nouns = Object.keys({ ...sweepEffects, ...wholeSweeps }) as Parameters<Marks['hold']>[0];
  const marks = new Marks(world.data.db, world.data.deps);
  const held = await marks.hold(nouns);
  assert.ok(held.length < SERVERS, 'not all servers at once');
  assert.ok(idsOf(held).includes(user.id), 'the changed profile is among them');
  await marks.release();
  await world.tidy();
  assert.deepEqual(
    await world.data.db.read.all(q.selectFrom('sweep').selectAll()),
    [],
    'all are swept in the end',
  );
});
