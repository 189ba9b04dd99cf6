import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { waitedMs } from '../../bench/processes.ts';
import { fillLog } from '../support/log.ts';
import { Scene } from '../support/scene.ts';
import { type Json, World } from '../support/world.ts';

const EVENTS = 150_000;
/** One event in this many matches the filter. */
const EVERY = 20_000;

let world: World;
let scene: Scene;
let first: number;

before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
  first = await fillLog(world, scene.server.id, EVENTS, EVERY);
});
after(() => world.close());

/** All pages from a cursor on: their events, and the number of pages. */
async function pagesFrom(query: string): Promise<{ seqs: number[]; pages: number }> {
  const seqs: number[] = [];
  let pages = 0;
  for (let path = `/events?${query}`; ; pages++) {
    const answer = await scene.admin.get(path);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    seqs.push(...answer.data.map(({ seq }: Json) => seq));
    const link = /^<(.*)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
    if (!link) return { seqs, pages };
    path = link.replace('/api/v1', '');
  }
}

test('filtered pages of a long log contain exactly the matching events, in order', async () => {
  const wanted: number[] = [];
  for (let seq = EVERY; seq <= first + EVENTS; seq += EVERY) wanted.push(seq);
  const { seqs, pages } = await pagesFrom('types=invite.deleted');
  assert.deepEqual(seqs, wanted);
  assert.ok(pages > 1, 'each page scans a part of the log');
});

test('sixty concurrent pages that scan a long log do not delay other requests', async () => {
  const page = `/servers/${scene.server.id}`;
  let isOver = false;
  const filters = ['types=webhook.deleted', 'types=flow.*&wait=1', `channelId=${(await scene.channel()).id}`];
  const searches = Array.from({ length: 60 }, (_, index) =>
    scene.admin.get(`/events?${filters[index % filters.length]}`).then(({ status }) => status),
  );
  const times: number[] = [];
  const measure = async () => {
    while (!isOver) {
      // The node runs in this process.
      const [started, waited] = [performance.now(), waitedMs('self')];
      assert.equal((await scene.admin.get(page)).status, 200);
      times.push(performance.now() - started - (waitedMs('self') - waited));
    }
  };
  const measuring = measure();
  assert.deepEqual([...new Set(await Promise.all(searches))], [200]);
  isOver = true;
  await measuring;
  times.sort((one, other) => one - other);
  const typical = times[Math.floor(times.length * 0.9)] as number;
  assert.ok(times.length >= 20, `${times.length} other requests were answered in the meantime`);
  assert.ok(typical < 100, `90% were answered within ${typical.toFixed(0)} ms`);
});
