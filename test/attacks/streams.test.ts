// @run sqlite: tests code that runs after all data is read
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { EventStream } from '../support/eventStream.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { until } from '../support/process.ts';
import { type Client, type Json, World } from '../support/world.ts';

let world: World;
let server: Json;
before(async () => {
  world = await World.open({ bounds: { streamsPerUser: 3, streams: 5 } });
  server = await world.server(await world.user());
});
after(() => world.close());

const open = ({ key }: Client) => EventStream.open(world, key);

/** Asserts that one more stream is rejected with the name of the setting and Retry-After. */
async function assertFull(client: Client, name: string): Promise<void> {
  const refused = await client.get('/events', { accept: 'text/event-stream' });
  assertRefused(refused, 'RATE_LIMITED', name);
  assert.match(refused.body.error.message, new RegExp(`^${name}: `));
  assert.ok(Number(refused.headers.get('retry-after')) >= 1);
}

test('streams are limited per user and in total', async () => {
  const user = await world.user();
  const one = await world.client(server, [], user);
  const sameUser = await world.client(server, [], user);
  const other = await world.client(await world.server(await world.user()));
  const streams = [await open(one), await open(one), await open(sameUser)];
  assert.deepEqual(
    streams.map(({ status }) => status),
    [200, 200, 200],
  );
  await assertFull(one, 'streamsPerUser');
  await assertFull(sameUser, 'streamsPerUser');
  // Pages do not count as streams.
  dataOf(await one.get('/events'));

  streams.push(await open(other), await open(other));
  await assertFull(other, 'streams');

  streams[0]?.close();
  const third = await world.client(await world.server(await world.user()));
  await until(async () => {
    const again = await open(third);
    if (again.status === 200) streams.push(again);
    return again.status === 200;
  });
  // The user is below their own limit, but other tenants use up the rest.
  await assertFull(one, 'streams');
  for (const stream of streams) stream.close();
});
