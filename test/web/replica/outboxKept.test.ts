import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Kept, keptInMemory } from '../../../web/replica/kept.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { outboxStage } from '../../support/outboxStage.ts';
import type { Json } from '../../support/world.ts';

const HOUR = 3_600_000;
const NOW = 1e12;

/** Storage with the messages of a closed page. */
async function keptWith(...rows: Json[]): Promise<Kept> {
  const kept = keptInMemory();
  for (const row of rows) {
    const place = { serverId: 'server', channelId: 'channel', attachmentIds: [] };
    await kept.put('outbox', row.key, { ...place, content: row.key, at: NOW, ...row });
  }
  return kept;
}

const stageWith = (kept: Kept, given = {}) => outboxStage({ ...given, kept, clock: new FakeClock(NOW) });

test('messages that a closed page has left are sent in the order in which they were written', async () => {
  const at = (minutes: number) => ({ at: NOW - minutes * 60_000 });
  const kept = await keptWith({ key: 'two', ...at(2) }, { key: 'three', ...at(1) }, { key: 'one', ...at(3) });
  const { outbox, asked, shown, stored, changes, clock } = stageWith(kept);
  await outbox.load();
  assert.deepEqual(shown(), ['one sending', 'two waiting', 'three waiting']);
  assert.ok(changes.includes('pending:channel'));
  await asked()[0]?.refuse(500);
  assert.deepEqual(clock.delays, [500]);
  await clock.pass(500);
  for (const key of ['one', 'two', 'three']) {
    const [request, ...more] = asked();
    assert.deepEqual([request?.key, more.length], [key, 0]);
    await request?.accept();
  }
  assert.deepEqual([shown(), await stored()], [[], []]);
});

test('a message that may have been posted too long ago is only sent again if the person asks', async () => {
  const limit = NOW - 23 * HOUR;
  const kept = await keptWith(
    { key: 'older', at: limit - 1 },
    { key: 'recent', at: limit },
    { key: 'refused', at: limit - 1, state: 'refused', error: { status: 403 } },
  );
  const { outbox, asked, shown } = stageWith(kept);
  await outbox.load();
  assert.deepEqual(shown().toSorted(), ['older old', 'recent sending', 'refused refused']);
  assert.equal(outbox.hasStopped('channel'), true);
  await asked()[0]?.accept();
  assert.deepEqual([asked().length, outbox.unsent], [0, 2]);
  outbox.retry('older');
  assert.deepEqual(
    asked().map(({ key }) => key),
    ['older'],
  );
});

test('a refused message that is retried is no longer stored as refused', async () => {
  const kept = await keptWith({ key: 'message', state: 'refused', error: { status: 403 } });
  const first = stageWith(kept);
  await first.outbox.load();
  assert.deepEqual(first.asked(), []);
  first.outbox.retry('message');
  first.outbox.stop();
  const second = stageWith(kept);
  await second.outbox.load();
  assert.equal(second.asked().length, 1);
});

test('a refusal outlives the page', async () => {
  const kept = keptInMemory();
  const first = stageWith(kept);
  await first.send('hello');
  await first.asked()[0]?.refuse(403);
  const second = stageWith(kept);
  await second.outbox.load();
  assert.deepEqual([second.shown(), second.asked()], [['hello refused'], []]);
  assert.equal(second.outbox.at('channel')[0]?.error?.code, 'CODE_403');
});

test('a tab takes over the messages of a closed tab, and leaves those of other tabs', async () => {
  const kept = await keptWith(
    { key: 'closed', tab: 'closed', at: NOW - 1 },
    { key: 'open', tab: 'open', channelId: 'other' },
    { key: 'of no tab', channelId: 'third' },
  );
  const { outbox, asked } = stageWith(kept, { tab: 'own' });
  assert.deepEqual((await outbox.owners()).toSorted(), ['closed', 'open']);
  const keys = () => asked().map(({ key }) => key);
  await outbox.load();
  assert.deepEqual(keys(), ['of no tab']);
  await outbox.load('closed');
  assert.deepEqual(keys(), ['closed']);
  await outbox.load('closed');
  assert.deepEqual([keys(), (await outbox.owners()).toSorted()], [[], ['open', 'own']]);
  assert.equal(((await kept.all('outbox')) as Json[]).filter(({ tab }) => tab === 'own').length, 2);
});

test('a message that is being sent is not taken over from the storage a second time', async () => {
  const { outbox, send, asked, shown } = outboxStage();
  await send('hello');
  const [request] = asked();
  await outbox.load();
  assert.deepEqual([asked(), shown()], [[], ['hello sending']]);
  await request?.accept();
  assert.deepEqual(shown(), []);
});

test('leaving the page is unsafe while a message is not stored', async () => {
  const opening = Promise.withResolvers<boolean>();
  let isOpen = false;
  const kept = { ...keptInMemory(), put: () => opening.promise, isOpen: () => isOpen };
  const { outbox, send } = outboxStage({ kept });
  assert.equal(outbox.isUnsafe, false);
  const sent = send('hello');
  assert.equal(outbox.isUnsafe, true, 'the storage may still refuse it');
  isOpen = true;
  assert.equal(outbox.isUnsafe, false, 'the request to an open database completes without the page');
  isOpen = false;
  opening.resolve(true);
  await sent;
  assert.deepEqual([outbox.isUnsafe, outbox.at('channel')[0]?.isOnlyHere], [false, undefined]);
});

test('leaving the page is unsafe if any message could not be stored, until the server has it', async () => {
  for (const put of [async () => false, () => Promise.reject(new Error('the disk is full'))]) {
    let isFull = false;
    const memory = keptInMemory();
    const { outbox, send, asked, changes } = outboxStage({
      kept: { ...memory, put: (...row) => (isFull ? put() : memory.put(...row)) },
    });
    await send('stored', { channelId: 'other' });
    isFull = true;
    const sent = send('hello');
    const listed = outbox.at('channel');
    changes.length = 0;
    await sent;
    assert.notEqual(outbox.at('channel'), listed);
    assert.deepEqual(
      [outbox.at('channel')[0]?.isOnlyHere, changes.includes('pending:channel')],
      [true, true],
    );
    assert.equal(outbox.isUnsafe, true);
    await asked()[1]?.accept();
    assert.deepEqual([outbox.isUnsafe, outbox.unsent], [false, 1]);
  }
});

test('lists of pending messages stay the same object until they change', async () => {
  const { outbox, send, asked, changes } = outboxStage();
  assert.equal(outbox.at('channel'), outbox.at('other'), 'all empty lists are the same');
  changes.length = 0;
  await send('hello');
  assert.ok(changes.includes('pending:channel'));
  const list = outbox.at('channel');
  assert.equal(list.length, 1);
  await send('elsewhere', { channelId: 'other' });
  assert.equal(outbox.at('channel'), list);
  await asked()[0]?.accept();
  assert.deepEqual(outbox.at('channel'), []);
});
