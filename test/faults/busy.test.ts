// @run sqlite, waits: locks the data file; waits for time to pass
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, World } from '../support/world.ts';

// A second connection to the data stands in for another writing process, such as a command.
let world: World;
let admin: Client;
let channelId: string;
let other: DatabaseSync;

before(async () => {
  world = await World.open();
  const server = await world.server(await world.user());
  admin = await world.client(server, ['canAdmin']);
  channelId = (await admin.post('/channels', { name: 'general' })).data.id;
  other = new DatabaseSync(join(world.folder, 'palaver.db'));
});
after(async () => {
  other.close();
  await world.close();
});

const send = (content: string) => admin.post('/messages', { channelId, content });

test("a write waits for another process's write, and reads continue in the meantime", async () => {
  other.exec('begin immediate');
  const sent = send('patient');
  await sleep(300);
  const page = await admin.get(`/channels/${channelId}/messages`);
  assert.deepEqual([page.status, page.data], [200, []]);
  other.exec('commit');
  assert.equal((await sent).status, 200);
});

test('a write that waits too long fails without effect; the next one succeeds', async () => {
  other.exec('begin immediate');
  const refused = await send('in vain');
  assert.equal(refused.status, 500);
  assert.equal(refused.body.error.code, 'INTERNAL_ERROR');
  other.exec('rollback');
  assert.equal((await send('at last')).status, 200);
  const page = await admin.get(`/channels/${channelId}/messages?order=asc`);
  assert.deepEqual(
    page.data.map(({ content }: { content: string }) => content),
    ['patient', 'at last'],
  );
  assert.equal((await world.request('GET', `${world.url}/readyz`)).status, 200);
});
