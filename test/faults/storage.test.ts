// @run sqlite: fills the data file
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { SqliteDb } from '../../server/src/db/sqlite/index.ts';
import { type Client, type Json, listAll, World } from '../support/world.ts';

/** The text of one message; two messages fill a page of the file. */
const CONTENT = 'x'.repeat(2_000);
/** A file size, in pages, that is never reached, as on a disk with plenty of space. */
const AMPLE_PAGES = 1_000_000;

let world: World;
let admin: Client;
let channelId: string;
before(async () => {
  world = await World.open();
  const owner = await world.user();
  admin = await world.client(await world.server(owner), ['canAdmin'], owner);
  channelId = (await admin.post('/channels', { name: 'general' })).data.id;
});
after(() => world.close());

/** Limits the file to this many pages. SQLite then fails as on a full disk. */
function makeRoom(pages: number): void {
  (world.data.db as SqliteDb).connection.exec(`pragma max_page_count = ${pages}`);
}

const pagesNow = () => Number((world.data.db as SqliteDb).connection.scalar('pragma page_count'));

async function ready(): Promise<{ status: number; body: Json }> {
  return world.request('GET', `${world.url}/readyz`);
}

const send = (name: string) =>
  admin.post('/messages', { channelId, content: `${name} ${CONTENT}` }, { 'idempotency-key': name });

test('on a full disk, writes fail, reads continue, nothing acknowledged is lost, and writes recover once there is space', async () => {
  makeRoom(pagesNow() + 20);
  const sent = new Map<string, string>();
  const refused: string[] = [];
  // First eight at once, then one by one: a commit with eight messages fails while there is still room for a smaller
  // one.
  for (let round = 0, atOnce = 8; atOnce > 0; round++) {
    const before = refused.length;
    const names = Array.from({ length: atOnce }, (_, index) => `message ${round}.${index}`);
    for (const [index, { status, body, headers }] of (await Promise.all(names.map(send))).entries()) {
      const name = names[index] as string;
      if (status === 200) {
        sent.set(name, body.data.id);
        continue;
      }
      refused.push(name);
      assert.equal(status, 503);
      assert.match(body.error.message, /^the server's disk is full/);
      assert.equal(headers.get('retry-after'), '60');
      assert.equal(body.ok, false);
      assert.equal(body.error.code, 'INTERNAL_ERROR');
      assert.equal(body.error.requestId, headers.get('x-request-id'));
      assert.doesNotMatch(body.error.message, /sqlite|disk image|page|\//i);
    }
    if (refused.length > before) atOnce = atOnce === 1 ? 0 : 1;
  }
  assert.ok(sent.size > 0);
  for (let asked = 0; asked < 3; asked++) {
    const { status, body } = await ready();
    assert.equal(status, 503);
    assert.equal(body.ok, false);
  }
  assert.equal((await world.request('GET', `${world.url}/healthz`)).status, 200);
  const metrics = (await world.request('GET', `${world.url}/metrics`)).body;
  assert.match(metrics, /^palaver_ready 0$/m);

  const read = await listAll(admin, `/channels/${channelId}/messages`);
  assert.deepEqual(read.map(({ id }) => id).sort(), [...sent.values()].sort());
  assert.equal((await admin.get(`/channels/${channelId}`)).status, 200);

  makeRoom(AMPLE_PAGES);
  assert.equal((await ready()).status, 200);
  for (const name of refused) {
    const { status, body, headers } = await send(name);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(headers.get('idempotency-replayed'), null);
    sent.set(name, body.data.id);
  }
  const all = await listAll(admin, `/channels/${channelId}/messages`);
  assert.deepEqual(all.map(({ id }) => id).sort(), [...sent.values()].sort());
});

test('search works while the disk is full', async () => {
  makeRoom(AMPLE_PAGES);
  assert.equal((await admin.post('/messages', { channelId, content: 'findable before' })).status, 200);
  assert.equal((await admin.get(`/channels/${channelId}/messages?q=findable`)).data.length, 1);
  makeRoom(pagesNow() + 10);
  for (let number = 0; (await send(`filling ${number}`)).status === 200; number++);
  const found = await admin.get(`/channels/${channelId}/messages?q=findable`);
  assert.equal(found.status, 200);
  assert.equal(found.data.length, 1);
  makeRoom(AMPLE_PAGES);
});
