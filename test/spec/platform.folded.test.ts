import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { foldNames } from '../../server/src/resources/platform/foldNames.ts';
import { dataOf } from '../support/expect.ts';
import { openPlatformScene, type PlatformScene } from '../support/platformScene.ts';
import { Scene } from '../support/scene.ts';
import { q, update } from '../support/sources.ts';
import { type Json, listAll } from '../support/world.ts';

// Tests how the platform's lists of users and servers compare names.

let { world, browser } = {} as PlatformScene;
before(async () => {
  ({ world, browser } = await openPlatformScene());
});
after(() => world.close());

/** Pairs of a name and a prefix, spelled differently, that must match it. */
const spellings = [
  ['Ågot Éluard', 'agot e'],
  ['agot éluard', 'ÅGOT E\u0301'],
  ['Ｆｕｌｌｗｉｄｔｈ', 'fullw'],
  ['fullwidth', 'ｆｕｌｌ'],
  ['Straße', 'STRASS'],
  ['Ёлка', 'елка'],
  ['Σίσυφος', 'σισυφοσ'],
  ['أَحْمَد', 'احمد'],
  ['Łódź', 'lodz'],
  ['٤٢ Quays', '42 q'],
] as const;

/** Returns the names that a list finds by prefix. */
const found = async (list: 'users' | 'servers', name: string): Promise<string[]> =>
  (await listAll(browser, `/platform/${list}?name=${encodeURIComponent(name)}`, 2)).map((row) => row.name);

test('users and servers are found by a prefix of their name, regardless of case, accents and form', async () => {
  const owner = await world.user();
  for (const [name] of spellings) {
    await world.user({ name });
    await world.server(owner, name);
  }
  for (const [name, beginning] of spellings)
    for (const list of ['users', 'servers'] as const)
      assert.ok((await found(list, beginning)).includes(name), `${list}: ${name} by ${beginning}`);
  for (const list of ['users', 'servers'] as const) {
    assert.deepEqual((await found(list, 'AGOT')).sort(), ['agot éluard', 'Ågot Éluard'], list);
    assert.deepEqual(await found(list, 'got'), [], list);
  }
});

test('a new name replaces the previous one in both lists', async () => {
  const scene = await Scene.open(world);
  const user = await world.user({ name: 'Ønske' });
  await scene.admin.patch(`/servers/${scene.server.id}`, { name: 'Ærø' }).then(dataOf);
  assert.deepEqual(await found('servers', 'aero'), ['Ærø']);
  await scene.admin.patch(`/servers/${scene.server.id}`, { name: 'Sjælland' }).then(dataOf);
  assert.deepEqual([await found('servers', 'aero'), await found('servers', 'sjae')], [[], ['Sjælland']]);
  assert.deepEqual(await found('users', 'onsk'), [user.name]);
});

test('a name whose characters each fold to several fits into the index', async () => {
  const widest = [0xfdfa, 0xfdfb, 0x33a7, 0x3315, 0xfb03].map((code) => String.fromCodePoint(code));
  const name = Array.from({ length: 100 }, (_, at) => widest[(at * 7 + (at >> 3)) % widest.length]).join('');
  const user = await world.user({ name });
  assert.deepEqual(await found('users', name), [user.name]);
});

test('existing names are found in lowercase, and in folded form once upkeep has processed them', async () => {
  const owner = await world.user();
  const rows = {
    user: await world.user({ name: 'Bodø One' }),
    server: await world.server(owner, 'Bodø One'),
  };
  for (const table of ['user', 'server'] as const) {
    const list = `${table}s` as const;
    await world.data.db.write((tx) => tx.run(update(table, rows[table].id, { nameFolded: null })));
    assert.deepEqual([await found(list, 'bod'), await found(list, 'bodo')], [['Bodø One'], []], table);
  }
  await foldNames(world.data.db, async () => true);
  assert.deepEqual(
    [await found('users', 'bodo'), await found('servers', 'BODO')],
    [['Bodø One'], ['Bodø One']],
  );
});

test('a name changed by a node with the previous version has no folded form', async () => {
  const user: Json = await world.user({ name: 'Vadsø' });
  await world.data.db.write((tx) => tx.run(update('user', user.id, { name: 'Deleted user' })));
  const { nameFolded } = (await world.data.db.read.first(
    q.selectFrom('user').select('nameFolded').where('id', '=', user.id),
  )) as Json;
  assert.equal(nameFolded, null);
  assert.deepEqual(await found('users', 'vads'), []);
  assert.ok((await found('users', 'deleted u')).length > 0);
});
