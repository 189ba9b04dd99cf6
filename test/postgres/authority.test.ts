import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_CHANGES } from '../../server/src/db/authorityVersions.ts';
import { Authority } from '../../server/src/db/postgres/authority.ts';
import { ask, UNNOTICED_MS } from '../support/databases.ts';
import { LoadCount } from '../support/loads.ts';
import { type Client, World } from '../support/world.ts';

const ofServer = (serverId: string) => ({ serverId, userId: 'user' });

/** The response of a database at a version. */
const at = (version: number, changes: [string, number][] | null = null, unnamed = 1) => ({
  version,
  unnamed,
  changes,
  now: '0',
});

/** A process that has read version 1. */
function opened(): { authority: Authority; start: number } {
  const authority = new Authority();
  authority.ask().seen(at(1));
  return { authority, start: authority.version };
}

describe('a node learns of changed permissions', () => {
  test('a change affects only its server, and is noticed once', () => {
    const { authority, start } = opened();
    assert.equal(authority.ask().seen(at(1)), true);
    assert.equal(authority.ask().seen(at(2, [['a', 2]])), false);
    const { version } = authority;
    assert.ok(version > start);
    assert.deepEqual(
      ['a', 'b'].map((server) => authority.hasChanged(start, ofServer(server))),
      [true, false],
    );
    authority.noticed([['a', 2]]);
    authority.committed(new Set(['a']), 2);
    assert.equal(authority.hasChanged(version, ofServer('a')), false);
    authority.noticed([['a', 3]]);
    assert.equal(authority.hasChanged(version, ofServer('a')), true);
  });

  test('a transaction that began before another noticed a change does not rely on older permissions', () => {
    const { authority } = opened();
    const [one, other, third] = [authority.ask(), authority.ask(), authority.ask()];
    const both: [string, number][] = [
      ['a', 2],
      ['b', 3],
    ];
    assert.equal(one.seen(at(3, both)), false);
    assert.equal(other.seen(at(3, both)), false);
    const { version } = authority;
    // An earlier response reports nothing new, and does not reset the version.
    assert.equal(third.seen(at(2, [['a', 2]])), false);
    assert.equal(authority.version, version);
    assert.equal(authority.ask().seen(at(3)), true);
  });

  for (const [what, state] of Object.entries({
    'without a named server': at(2, null, 2),
    'in more servers than one answer lists': at(
      MAX_CHANGES + 2,
      Array.from({ length: MAX_CHANGES + 1 }, (_, number) => [`${number}`, number + 2]),
    ),
    'undone by a failover': at(0),
  }))
    test(`changes ${what} affect all servers`, () => {
      const { authority, start } = opened();
      assert.equal(authority.ask().seen(state), false);
      assert.equal(authority.hasChanged(start, ofServer('any')), true);
      assert.equal(authority.ask().seen(at(state.version, null, state.unnamed)), true);
    });

  test('the cached version is invalid once the connection is lost', () => {
    const { authority } = opened();
    authority.lost();
    const { version } = authority;
    assert.equal(authority.ask().seen(at(1)), false);
    assert.equal(authority.hasChanged(version, ofServer('any')), true);
  });
});

describe('the version of permissions in the database', () => {
  let world: World;
  let clients: Client[];
  let count: LoadCount;
  before(async () => {
    world = await World.open();
    clients = [];
    for (let number = 0; number < 2; number++) {
      const owner = await world.user();
      clients.push(await world.client(await world.server(owner), ['canAdmin'], owner));
    }
    count = new LoadCount(world.data);
    count.watch(...clients.map(({ key }) => key));
  });
  after(() => world.close());

  const query = (sql: string): Promise<object[]> => ask(world.place.database as string, sql);

  test('a change names its server, once for all rows', async () => {
    const [client] = clients as [Client];
    const { serverId, roleId } = client.secret;
    for (const color of ['#112233', '#445566'])
      assert.equal((await client.patch(`/roles/${roleId}`, { color })).status, 200);
    const before = await query('select version, named from authority');
    const made = await client.patch(`/roles/${roleId}`, { canModerate: true, canViewData: true });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    const [{ version, named }] = before as [{ version: string; named: string }];
    assert.deepEqual(await query('select version, named from authority'), [
      { version: `${Number(version) + 1}`, named: `${Number(named) + 1}` },
    ]);
    const newest = `select id from "authorityChange" where version = (select version from authority)`;
    assert.deepEqual(await query(newest), [{ id: serverId }]);
  });

  test('a change by a node with an earlier version, which only increments the version number, affects all keys', async () => {
    for (const client of clients) assert.equal((await client.get('/servers')).status, 200);
    count.reset();
    await query('update authority set version = version + 1');
    await sleep(UNNOTICED_MS);
    for (const client of clients) assert.equal((await client.get('/servers')).status, 200);
    assert.deepEqual(
      clients.map(({ key }) => count.of(key)),
      [1, 1],
    );
  });
});
