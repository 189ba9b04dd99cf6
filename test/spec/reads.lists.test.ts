import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pathOf, reads, withQuery } from '../rows/index.ts';
import type { Filter, OpenListing } from '../rows/row.ts';
import { assertRefused, dataOf, idsOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { type Json, listAll, World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
  for (const { name, listing } of lists)
    open.set(name, { ...(await listing.open(scene)), name, keyOf: listing.key ?? (({ id }) => id) });
});
after(() => world.close());

const ROWS = 7;

interface List extends OpenListing {
  name: string;
  keyOf(record: Json): string;
}

/** The keys of the rows that this file has added. This file removes no other rows. */
const added = new Set<string>();

async function add(list: List): Promise<void> {
  added.add(await list.add(0));
}

const lists = reads.flatMap(({ name, listings }) => (listings ? [{ name, listing: listings[0] }] : []));
const open = new Map<string, List>();
const listNamed = (name: string): List => open.get(name) as List;

for (const { name } of lists) {
  test(`${name}: pages of any size add up to the whole list, and Link leads to the next page`, async () => {
    const list = listNamed(name);
    const keysOf = (records: Json[]) => records.map(list.keyOf);
    for (let row = 0; row < ROWS; row++) await add(list);
    const whole = await scene.admin.get(withQuery(list.path, 'limit=100'));
    assert.equal(whole.body.nextCursor, null);
    assert.equal(whole.headers.get('link'), null);
    const expected = keysOf(dataOf(whole));
    assert.ok(expected.length >= ROWS);
    assert.equal(new Set(expected).size, expected.length);
    for (const limit of [1, 3, expected.length, 99]) {
      assert.deepEqual(keysOf(await listAll(scene.admin, list.path, limit)), expected, `limit=${limit}`);
    }
    const exact = await scene.admin.get(withQuery(list.path, `limit=${expected.length}`));
    assert.equal(exact.body.nextCursor, null, 'the last page has no cursor');

    const linked: string[] = [];
    let next: string | undefined = withQuery(`${world.url}/api/v1${list.path}`, 'limit=3');
    while (next) {
      const page = await scene.admin.get(next);
      linked.push(...keysOf(dataOf(page)));
      assert.ok(page.data.length <= 3);
      const link = page.headers.get('link');
      assert.equal(link === null, page.body.nextCursor === null);
      const [, target] = /^<([^>]+)>; rel="next"$/.exec(link ?? '') ?? [];
      assert.equal(target === undefined, link === null, `${link}`);
      next = target && new URL(target, `${world.url}/api/v1${list.path}`).href;
    }
    assert.deepEqual(linked, expected);
  });

  test(`${name}: a modified cursor, or one from another list, is rejected`, async () => {
    const list = listNamed(name);
    const { nextCursor } = (await scene.admin.get(withQuery(list.path, 'limit=2'))).body;
    assert.equal(typeof nextCursor, 'string');
    const alteredAt = (place: number) =>
      `${nextCursor.slice(0, place)}${nextCursor[place] === 'A' ? 'B' : 'A'}${nextCursor.slice(place + 1)}`;
    const altered = [
      alteredAt(Math.floor(nextCursor.length / 2)),
      `${nextCursor}A`,
      `${nextCursor}!`,
      `${nextCursor}=`,
      nextCursor.slice(0, -1),
      nextCursor.slice(4),
      alteredAt(0),
      'none',
      '0193a5f0-7b1c-7d2e-8f3a-4b5c6d7e8f90',
      Buffer.from('["a"]').toString('base64url'),
    ];
    for (const cursor of altered) {
      assertRefused(
        await scene.admin.get(withQuery(list.path, `cursor=${cursor}`)),
        'INVALID_REQUEST',
        cursor,
      );
    }
    for (const other of [...open.values()].filter((other) => other !== list)) {
      const answer = await scene.admin.get(withQuery(other.path, `cursor=${nextCursor}`));
      assertRefused(answer, 'INVALID_REQUEST', other.name, 'cursor');
    }
    dataOf(await scene.admin.get(withQuery(list.path, `cursor=${nextCursor}`)), 'with another limit');
    dataOf(
      await scene.admin.get(withQuery(list.path, `unknown=1&cursor=${nextCursor}`)),
      'unknown parameters are ignored',
    );
  });

  test(`${name}: concurrent inserts and deletes cause no remaining row to be skipped or repeated`, async () => {
    const list = listNamed(name);
    const keysOf = (records: Json[]) => records.map(list.keyOf);
    for (let row = 0; row < 4; row++) await add(list);
    const start = keysOf(await listAll(scene.admin, list.path));
    // Rows that are removed during the walk, both before and after its position.
    const leaving = start.filter((id, index) => index % 3 === 1 && added.has(id));
    const still = start.filter((id) => !leaving.includes(id));
    const seen: string[] = [];
    let cursor: string | null = null;
    let turn = 0;
    do {
      const next: string = cursor === null ? '' : `&cursor=${cursor}`;
      const { body } = await scene.admin.get(withQuery(list.path, `limit=2${next}`));
      seen.push(...keysOf(body.data));
      cursor = body.nextCursor;
      const leaver = turn % 2 === 0 ? leaving.shift() : leaving.pop();
      if (leaver) await list.take(leaver);
      if (turn++ < 4) await add(list);
    } while (cursor !== null);
    assert.equal(new Set(seen).size, seen.length, 'no duplicate rows');
    assert.deepEqual(
      seen.filter((id) => still.includes(id)),
      still,
    );
  });
}

/** Values that a filter accepts, and values that it rejects, URL-encoded. */
function valuesOf(filter: Filter): { good: readonly string[]; bad: readonly string[] } {
  if (typeof filter !== 'string') return { good: filter, bad: ['', 'other', 'ASC', '%00'] };
  const table = {
    words: { good: ['a', '%22a%20b%22', 'x'.repeat(200)], bad: ['x'.repeat(201), '%00', 'a&q=b'] },
    flag: { good: ['true', 'false'], bad: ['', 'yes', 'TRUE', '1'] },
    moment: { good: ['0', '1800000000000'], bad: ['', 'yesterday', '1.5', '-1'] },
    reference: { good: ['0193a5f0-7b1c-7d2e-8f3a-4b5c6d7e8f90', 'none'], bad: ['%00'] },
    'words!': { good: ['a'], bad: ['', ' ', 'x'.repeat(201), '%00', 'a&q=b'] },
    here: { good: [], bad: ['%00', 'x'.repeat(1001)] },
  };
  return table[filter];
}

for (const row of reads) {
  for (const [name, filter] of Object.entries(row.filters ?? {})) {
    test(`${row.name}: ${name} accepts valid values and rejects others`, async () => {
      const whole = pathOf(row, (await row.ready(scene)).id);
      // The path already has its required parameter.
      const path = filter === 'words!' ? (whole.split('?')[0] as string) : whole;
      const { good, bad } = valuesOf(filter);
      for (const value of good) {
        const answer = await scene.admin.get(withQuery(path, `${name}=${value}`));
        dataOf(answer, value);
        assert.equal(answer.headers.get('ignored-parameters'), null);
      }
      for (const value of bad)
        assertRefused(
          await scene.admin.get(withQuery(path, `${name}=${value}`)),
          'INVALID_REQUEST',
          value,
          name,
        );
    });
  }
}

test('a page has 50 records by default, and 100 at most', async () => {
  const { id: channelId } = await scene.channel();
  for (let sent = 0; sent < 101; sent++) await scene.message({ channelId });
  const path = `/channels/${channelId}/messages`;
  assert.equal(dataOf(await scene.admin.get(path)).length, 50);
  assert.equal(dataOf(await scene.admin.get(`${path}?limit=100`)).length, 100);
  assertRefused(await scene.admin.get(`${path}?limit=101`), 'INVALID_REQUEST', '', 'limit');
});

test("a cursor is valid only for its list's filters", async () => {
  const { id: channelId } = await scene.channel();
  for (let sent = 0; sent < 4; sent++) await scene.message({ channelId, content: 'word' });
  const path = `/channels/${channelId}/messages`;
  const { nextCursor } = (await scene.admin.get(`${path}?limit=2&q=word`)).body;
  dataOf(await scene.admin.get(`${path}?limit=2&q=word&cursor=${nextCursor}`));
  for (const filter of ['', '&q=words', '&q=word&order=asc', '&q=word&isThreadReply=false', '&type=person']) {
    const answer = await scene.admin.get(`${path}?cursor=${nextCursor}${filter}`);
    assertRefused(answer, 'INVALID_REQUEST', filter, 'cursor');
  }
  const other = await scene.channel();
  const elsewhere = await scene.admin.get(`/channels/${other.id}/messages?q=word&cursor=${nextCursor}`);
  assertRefused(elsewhere, 'INVALID_REQUEST', 'from another channel', 'cursor');
});

test('channels are sorted by position', async () => {
  const own = await Scene.open(world);
  const last = await own.channel({ position: 9 });
  const first = await own.channel({ position: 0 });
  const middle = await own.channel({ position: 4 });
  const path = `/servers/${own.server.id}/channels`;
  assert.deepEqual(idsOf(await listAll(own.admin, path, 1)), [first.id, middle.id, last.id]);
  dataOf(await own.admin.patch(`/channels/${last.id}`, { position: 2 }));
  assert.deepEqual(idsOf(await listAll(own.admin, path, 1)), [first.id, last.id, middle.id]);
});
