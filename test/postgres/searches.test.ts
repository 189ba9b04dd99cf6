import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from '../support/databases.ts';
import { fillChannel } from '../support/messages.ts';
import { Scene } from '../support/scene.ts';
import { q } from '../support/sources.ts';
import { type Json, World } from '../support/world.ts';

/** More messages than a few pages of a search scan. */
const MESSAGES = 20_000;
/** Minimum number of messages that one page of a search scans. */
const PAGE_ROWS = 6_000;
const SEARCHES = 60;
/** The maximum number of callers that may wait for a connection while the searches run. */
const MAX_WAITING = 3;

let world: World;
let scene: Scene;
let channel: Json;
/** How often PostgreSQL has scanned the whole message table. */
let scans: number;

async function scansOf(table: string): Promise<number> {
  // Connections report their counts at the end of a transaction, though at most once a second.
  await sleep(1_500);
  await world.data.db.read.first(q.selectFrom('server').select('id'));
  const sql = 'select seq_scan from pg_stat_user_tables where relname = $1';
  return Number((await ask<{ seq_scan: string }>(world.place.database as string, sql, [table]))[0]?.seq_scan);
}

before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
  channel = await scene.channel();
  await fillChannel(world, channel, scene.owner.id, MESSAGES);
  scans = await scansOf('message');
});
after(() => world.close());

test('concurrent searches of the index leave connections for writes', async () => {
  const words = [...'abcdefghijklmnopqrstuvwxyz'].join('+');
  let isOver = false;
  let most = 0;
  const watching = (async () => {
    while (!isOver) {
      most = Math.max(most, world.data.db.figures.pool?.waiting ?? 0);
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  // The queries differ, because identical concurrent reads are shared.
  const searches = Array.from({ length: SEARCHES }, (_, index) =>
    scene.admin.get(`/channels/${channel.id}/messages?q=${words}+${index}`),
  );
  const answers = await Promise.all(searches);
  isOver = true;
  await watching;
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  assert.ok(most <= MAX_WAITING, `${most} callers waited for a connection`);
});

test('a page does not wait for searches that were requested before it', async () => {
  const path = `/channels/${channel.id}/messages`;
  let answered = 0;
  // Most messages have such a word, so each search ends after its first batch.
  const searches = Array.from({ length: SEARCHES }, async (_, index) => {
    const { status } = await scene.admin.get(`${path}?q=t&limit=${index + 1}`);
    answered++;
    return status;
  });
  const { status } = await scene.admin.get(path);
  const before = answered;
  assert.equal(status, 200);
  assert.deepEqual(new Set(await Promise.all(searches)), new Set([200]));
  assert.ok(before < SEARCHES / 2, `${before} of ${SEARCHES} searches were answered before the page`);
});

test('a filter without an index reads a range of the channel, not the whole table', async () => {
  const path = `/channels/${channel.id}/messages`;
  // PostgreSQL considers a generic plan starting with the sixth execution.
  for (const filter of Array(8).fill(['type=system', 'isThreadReply=true', 'type=system&order=asc']).flat()) {
    const { status, data, body } = await scene.admin.get(`${path}?${filter}`);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(data, []);
    assert.equal(typeof body.nextCursor, 'string');
  }
  assert.equal(await scansOf('message'), scans);
});

test('a search for common prefixes and a nonexistent word finds nothing, in few pages', async () => {
  // Each message has most of the prefixes.
  const words = [...'thqubrfojlawsdpcie', 'xylophone'].join('+');
  const path = `/channels/${channel.id}/messages?q=${words}`;
  let pages = 0;
  for (let cursor: string | null = ''; cursor !== null; pages++) {
    const { status, data, body } = await scene.admin.get(cursor === '' ? path : `${path}&cursor=${cursor}`);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(data, []);
    cursor = body.nextCursor;
  }
  // A single page is enough if the index is fast, as on an idle machine.
  assert.ok(pages <= Math.ceil(MESSAGES / PAGE_ROWS), `${pages} pages`);
});
