import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { reads } from '../rows/index.ts';
import type { Listing } from '../rows/row.ts';
import { Scene } from '../support/scene.ts';
import { change, insert, remove } from '../support/sources.ts';
import { type Json, World } from '../support/world.ts';

let world: World;
before(async () => {
  world = await World.open();
});
after(() => world.close());

interface Row {
  key: string;
  position: number;
  number: number;
}

/** The changes between two pages: the positions of added rows, and the places in the list of removed rows. */
const between = fc.record({
  come: fc.array(fc.nat({ max: 3 }), { maxLength: 2 }),
  go: fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { maxLength: 2 }),
});
const reading = fc.record({
  limit: fc.integer({ min: 1, max: 4 }),
  first: fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 10, size: 'max' }),
  moves: fc.array(between, { maxLength: 6 }),
});

const sorters: Record<Listing['order'], (a: Row, b: Row) => number> = {
  oldest: (a, b) => a.number - b.number,
  newest: (a, b) => b.number - a.number,
  position: (a, b) => a.position - b.position || a.number - b.number,
};

const listings = reads.flatMap(({ name, listings = [] }) =>
  listings.map((listing) => ({ name: listing.as ? `${name} ${listing.as}` : name, listing })),
);

for (const { name, listing } of listings) {
  test(`${name}: rows that are not removed are neither skipped nor repeated`, async () => {
    await fc.assert(
      fc.asyncProperty(reading, async ({ limit, first, moves }) => {
        const scene = await Scene.open(world);
        const list = await listing.open(scene);
        const keyOf = listing.key ?? (({ id }: Json) => id);
        let rows: Row[] = [];
        let count = 0;
        const come = async (position: number) => {
          if (rows.length === listing.most) return;
          rows.push({ key: await list.add(position), position, number: count++ });
        };
        for (const position of first) await come(position);
        const before = [...rows];

        const seen: string[] = [];
        const path = `${list.path}${list.path.includes('?') ? '&' : '?'}limit=${limit}`;
        let cursor = '';
        for (let page = 0; ; page++) {
          assert.ok(page < 50, 'the list comes to an end');
          const { status, body } = await scene.admin.get(path + cursor);
          assert.equal(status, 200, JSON.stringify(body));
          const keys = body.data.map(keyOf);
          assert.ok(keys.length <= limit);
          if (!listing.mixed) {
            const strange = keys.filter((key: string) => !rows.some((row) => row.key === key));
            assert.deepEqual(strange, [], 'only existing rows');
          }
          seen.push(...keys);
          if (body.nextCursor === null) break;
          assert.equal(keys.length, limit, 'a page that is not the last is full');
          cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`;
          for (const place of moves[page]?.go ?? []) {
            const gone = rows[Math.floor(place * rows.length)];
            if (!gone) continue;
            await list.take(gone.key);
            rows = rows.filter((row) => row !== gone);
          }
          for (const position of moves[page]?.come ?? []) await come(position);
        }
        assert.equal(new Set(seen).size, seen.length, 'nothing is repeated');
        const stood = before.filter((row) => rows.includes(row)).sort(sorters[listing.order]);
        assert.deepEqual(
          seen.filter((key) => stood.some((row) => row.key === key)),
          stood.map(({ key }) => key),
        );
      }),
      { numRuns: 6 },
    );
  });
}

test('threadWithMessages: after 1,000 replies, messages that are not removed are neither skipped nor repeated', async () => {
  const server = await world.server(await world.user());
  const admin = await world.client(server, ['canAdmin']);
  const channel = (await admin.post('/channels', { name: 'general' })).data;
  const thread = (await admin.post('/threads', { channelId: channel.id })).data;
  const reply = (await admin.post('/messages', { threadId: thread.id, content: 'Reply' })).data;
  const full = (await admin.get(`/messages/${reply.id}`)).data;
  const ids = [reply.id];
  const come = (amount: number) =>
    change(world.data, async ({ db, newRow }) => {
      for (let index = 0; index < amount; index++) {
        const row = { ...full, ...newRow() };
        await db.run(insert('message', row));
        ids.push(row.id);
      }
    });
  const go = (index: number) => world.data.db.write((tx) => tx.run(remove('message', { id: ids[index] })));
  await come(2_099);

  const seen: string[] = [];
  const sizes: number[] = [];
  let cursor = '';
  do {
    assert.ok(sizes.length < 3, 'the list comes to an end');
    const { data, body } = await admin.get(`/threads/${thread.id}${cursor}`);
    assert.equal(data.nextCursor, body.nextCursor);
    sizes.push(data.messages.length);
    seen.push(...data.messages.map(({ id }: Json) => id));
    cursor = data.nextCursor === null ? '' : `?cursor=${encodeURIComponent(data.nextCursor)}`;
    if (sizes.length === 1) {
      for (const index of [0, 999, 1_000, 1_500]) await go(index);
      await come(10);
    }
  } while (cursor !== '');
  assert.deepEqual(sizes, [1_000, 1_000, 108]);
  const gone = [1_000, 1_500].map((index) => ids[index]);
  assert.deepEqual(
    seen,
    ids.filter((id) => !gone.includes(id)),
  );
});
