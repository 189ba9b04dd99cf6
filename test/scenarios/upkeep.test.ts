import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { q, type TableName } from '../support/sources.ts';
import { type Client, type Json, TestClock, World } from '../support/world.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const clock = new TestClock();
let world: World;
let server: Json;
let admin: Client;

before(async () => {
  world = await World.open({ clock });
  const owner = await world.user();
  server = await world.server(owner);
  admin = await world.client(server, ['canAdmin'], owner);
});
after(() => world.close());

const upkeep = () => world.tidy();

const rowsOf = (table: TableName): Promise<Json[]> =>
  world.data.db.read.all(q.selectFrom(table).selectAll() as never);

test('only the rows of a deleted channel are swept', async () => {
  const open = async (name: string) => {
    const channel = (await admin.post('/channels', { name })).data;
    const message = (await admin.post('/messages', { channelId: channel.id, content: 'Hello' })).data;
    await admin.post('/pins', { messageId: message.id });
    await admin.post('/reactions', { messageId: message.id, emoji: '👍' });
    await admin.post('/threads', { messageId: message.id });
    await admin.post('/indicators', { type: 'typing', channelId: channel.id });
    return channel;
  };
  const gone = await open('gone');
  const kept = await open('kept');
  assert.equal((await admin.delete(`/channels/${gone.id}`)).status, 200);
  await upkeep();
  for (const table of ['message', 'pin', 'reaction', 'thread', 'indicator'] as const) {
    const rows = await rowsOf(table);
    assert.deepEqual([...new Set(rows.map(({ channelId }) => channelId))], [kept.id], table);
  }
  assert.deepEqual(await rowsOf('sweep'), []);
});

test('stored responses are removed after 24 hours, and stale indicators after ten minutes', async () => {
  await admin.post('/roles', { name: 'Once' }, { 'idempotency-key': 'once' });
  assert.equal((await rowsOf('idempotency')).length, 1);
  clock.advance(DAY_MS - 1);
  await upkeep();
  assert.equal((await rowsOf('idempotency')).length, 1);
  assert.deepEqual(await rowsOf('indicator'), []);
  clock.advance(1);
  await upkeep();
  assert.deepEqual(await rowsOf('idempotency'), []);
});

test('events are removed after their retention, except the latest, so that the numbering continues', async () => {
  const numbers = async () => (await rowsOf('event')).map(({ seq }) => seq).sort((a, b) => a - b);
  const latest = Math.max(...(await numbers()));
  clock.advance(31 * DAY_MS);
  await upkeep();
  assert.deepEqual(await numbers(), [latest]);
  await admin.post('/roles', { name: 'Next' });
  assert.deepEqual(await numbers(), [latest, latest + 1]);
});
