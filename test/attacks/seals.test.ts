import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertRefused, dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { find, q, update } from '../support/sources.ts';
import { type Json, World } from '../support/world.ts';

// Somebody who can write to the database, but does not have the secret key, moves encrypted values between
// rows.

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
});
after(() => world.close());

const ofSecret = (id: string) => ({ table: 'secret', column: 'sealed', id });
const rowOf = async (id: string): Promise<Json> => world.data.db.read.first(find('secret', { id }));

test('an encrypted value can only be decrypted in its own table, column and row', async () => {
  const app = await scene.app();
  const store = async (value: string): Promise<string> =>
    (await scene.secret({ kind: 'appSecret', appId: app.id, value })).id;
  const [mine, theirs] = [await store('the value that is mine'), await store('the value that is theirs')];
  const { sealed } = await rowOf(theirs);
  await world.data.db.write((tx) => tx.run(update('secret', mine, { sealed })));
  const { seal } = world.data;
  assert.equal(seal.open(sealed, ofSecret(theirs)), 'the value that is theirs');
  assert.throws(() => seal.open((sealed as string) ?? '', ofSecret(mine)));
  assert.throws(() => seal.open(sealed, { ...ofSecret(theirs), column: 'earlier' }));
  assert.throws(() => seal.open(sealed, { ...ofSecret(theirs), table: 'webhook' }));
  // Without its prefix, a sealed value looks like one from before values were bound to their rows.
  assert.throws(() => seal.open(sealed.split('.')[2], ofSecret(theirs)));
});

test("somebody else's stored response, moved to another person's row, is not replayed", async () => {
  const body = { kind: 'apiKey', name: 'Kept' };
  const mint = (client = scene.admin) => client.post('/secrets', body, { 'idempotency-key': 'kept' });
  const before = await world.data.db.read.all(q.selectFrom('idempotency').selectAll());
  const known = new Set(before.map(({ scope }) => scope));
  const strong = dataOf(await mint());
  const weak = await world.client(scene.server, ['canEditApp', 'canEditData', 'canViewData']);
  dataOf(await mint(weak));
  const kept = await world.data.db.read.all(q.selectFrom('idempotency').selectAll());
  const fresh = kept.filter(({ scope }) => !known.has(scope));
  assert.equal(fresh.length, 2);
  const [one, other] = fresh as [Json, Json];
  const swap = (scope: string, answer: string) =>
    q.updateTable('idempotency').set({ answer }).where('scope', '=', scope);
  await world.data.db.write(async (tx) => {
    await tx.run(swap(one.scope, other.answer));
    await tx.run(swap(other.scope, one.answer));
  });
  for (const client of [weak, scene.admin]) {
    const answer = await mint(client);
    assertRefused(answer, 'INTERNAL_ERROR');
    assert.ok(!JSON.stringify(answer.body).includes(strong.key));
  }
});
