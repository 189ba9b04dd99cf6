import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Reader, Reads } from '../../server/src/db/contract.ts';
import { readSpan, type SpanRow } from '../../server/src/feed/span.ts';
import { Scene } from '../support/scene.ts';
import { World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
});
after(() => world.close());

/** A reader that calls `interrupt` before each `first` and after each `all`. */
function interrupted(reader: Reader, interrupt: () => Promise<unknown>): Reader {
  const slowed = (reads: Reads): Reads => ({
    ...reads,
    async first(query) {
      await interrupt();
      return reads.first(query);
    },
    async all(query) {
      const rows = await reads.all(query);
      await interrupt();
      return rows;
    },
  });
  return { ...reader, ...slowed(reader), inTurn: (task) => reader.inTurn((reads) => task(slowed(reads))) };
}

test('events committed between the statements of a filtered page are on the next page', async () => {
  const { channelId } = await scene.message();
  const { id: logId } = scene.server;
  const filter = { types: new Set(['message.created']) };
  const write = () => scene.message({ channelId });
  const reader = interrupted(world.data.db.read, write);
  const found: SpanRow[] = [];
  let place = { seq: 0, epoch: '' };
  for (let page = 0; page < 5; page++) {
    const span = await readSpan(reader, logId, place, filter, 100);
    found.push(...span.rows);
    place = span.place;
  }
  for (let rest = 1; rest > 0; ) {
    const span = await readSpan(world.data.db.read, logId, place, filter, 100);
    found.push(...span.rows);
    rest = span.rows.length;
    place = span.place;
  }
  const all = await readSpan(world.data.db.read, logId, { seq: 0, epoch: '' }, {}, 1_000);
  const numbersOf = (rows: readonly SpanRow[]) =>
    rows.filter(({ type }) => filter.types.has(type)).map(({ seq }) => seq);
  assert.ok(numbersOf(all.rows).length > 5);
  assert.deepEqual(numbersOf(found), numbersOf(all.rows));
});
