import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { after, afterEach, before, test } from 'node:test';
import pino from 'pino';
import { EventStream } from '../support/eventStream.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { until } from '../support/process.ts';
import { Scene } from '../support/scene.ts';
import { RawClient } from '../support/socket.ts';
import { placesWith } from '../support/stored.ts';
import { asEventSource, refusedStream, ticketOf } from '../support/tickets.ts';
import { type Client, type Json, TestClock, World } from '../support/world.ts';

const clock = new TestClock();
const log: string[] = [];
let world: World;
let scene: Scene;
before(async () => {
  const stream = new Writable({
    write(line, _encoding, done) {
      log.push(String(line));
      done();
    },
  });
  world = await World.open({ clock, logger: pino({ level: 'debug' }, stream) });
  scene = await Scene.open(world);
});
after(() => world.close());

const streams: EventStream[] = [];
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close();
});

/** Opens a stream like a page: with a ticket and without a key. */
async function open(ticket: string, query: Record<string, string> = {}): Promise<EventStream> {
  const stream = await EventStream.open(world, '', { ticket, ...query }, asEventSource);
  streams.push(stream);
  return stream;
}

async function assertUseless(query: Record<string, string>): Promise<void> {
  const { status, code, headers } = await refusedStream(world, query);
  assert.deepEqual([status, code], [401, 'INVALID_API_KEY']);
  // CORS headers let the page read the error.
  assert.equal(headers['access-control-allow-origin'], '*');
}

const used = (client: Client): Promise<Json> => client.get('/users/me').then(dataOf);

test('a ticket opens a stream of the events that its key can see, for pages from any origin', async () => {
  const role = await scene.role({ canEditData: true });
  const member = await world.clientWithRole(scene.server, role);
  const { ticket, cursor, expiresAt, createdAt } = await ticketOf(member);
  assert.match(ticket, /^ticket_plv_[0-9A-Za-z]{38}$/);
  assert.equal(expiresAt, createdAt + 60_000);
  const hidden = await scene.channel({ private: true });
  const seen = await scene.message();
  const stream = await open(ticket, { after: cursor, types: 'message.*,channel.*' });
  assert.equal(stream.status, 200);
  assert.equal(stream.headers['access-control-allow-origin'], '*');
  assert.ok(stream.headers.ratelimit === undefined);
  await scene.message({ channelId: hidden.id });
  const last = await scene.message({ channelId: seen.channelId });
  await stream.event(({ data }) => data.id === last.id);
  assert.deepEqual(stream.types, ['channel.created', 'message.created', 'message.created']);
  assert.ok(stream.events.every(({ data }) => data.channelId !== hidden.id && data.id !== hidden.id));
});

test('only one of several concurrent requests with a ticket opens a stream', async () => {
  const { ticket } = await ticketOf(scene.admin);
  const asked = await Promise.all(Array.from({ length: 20 }, () => open(ticket)));
  assert.deepEqual(asked.map(({ status }) => status).sort(), [200, ...Array.from({ length: 19 }, () => 401)]);
  await assertUseless({ ticket });
  // A browser that reconnects with the id of the last event cannot resume the stream with its ticket.
  const { headers } = asked.find(({ status }) => status === 200) as EventStream;
  const again = await refusedStream(world, { ticket }, { 'last-event-id': String(headers['last-event-id']) });
  assert.equal(again.status, 401);
});

test('a ticket expires after a minute', async () => {
  const [early, late] = [await ticketOf(scene.admin), await ticketOf(scene.admin)];
  clock.advance(59_999);
  assert.equal((await open(early.ticket)).status, 200);
  clock.advance(1);
  await assertUseless({ ticket: late.ticket });
  await world.tidy();
  await assertUseless({ ticket: late.ticket });
});

test('revoking a key invalidates its tickets and ends their streams', async () => {
  const secret = await scene.secret();
  const client = world.as(secret.key);
  const [{ ticket }, { ticket: other }] = [await ticketOf(client), await ticketOf(client)];
  const stream = await open(ticket);
  assert.equal(stream.status, 200);
  await scene.remove(`/secrets/${secret.id}`);
  await stream.over();
  await assertUseless({ ticket: other });
});

test('a ticket created with a previous key value expires with that value', async () => {
  const secret = await scene.secret();
  const { ticket } = await ticketOf(world.as(secret.key));
  dataOf(await scene.admin.post(`/secrets/${secret.id}/rotate`, { overlap: 0 }));
  await assertUseless({ ticket });
});

test('a ticket gives no access to another server, or to a cursor in its log', async () => {
  const other = await Scene.open(world);
  const { id: channelId } = await other.channel();
  const cursor = await other.cursor();
  for (const [query, code] of [
    [{ serverId: other.server.id }, 'FORBIDDEN'],
    [{ channelId }, 'FORBIDDEN'],
    [{ after: cursor }, 'INVALID_REQUEST'],
  ] as [Record<string, string>, string][]) {
    const { ticket } = await ticketOf(scene.admin);
    assert.equal((await refusedStream(world, { ticket, ...query })).code, code);
    // A presented ticket is used up, even if the request fails.
    await assertUseless({ ticket });
  }
});

test('a ticket only opens streams', async () => {
  const { ticket } = await ticketOf(scene.admin);
  for (const path of [
    `/events?ticket=${ticket}`,
    `/servers?ticket=${ticket}`,
    `/users/me?ticket=${ticket}`,
    `/messages?ticket=${ticket}`,
  ])
    assertRefused(await world.request('GET', path), 'UNAUTHORIZED');
  assertRefused(await world.as(ticket).get('/users/me'), 'INVALID_API_KEY');
  assertRefused(await world.as(ticket).post('/events/tickets'), 'INVALID_API_KEY');
  // A ticket is ignored if there is also a key.
  const stream = await EventStream.open(world, scene.admin.key, { ticket });
  assert.equal(stream.status, 200);
  stream.close();
  assert.equal((await open(ticket)).status, 200);
});

test('invalid tickets open nothing', async () => {
  const { ticket } = await ticketOf(scene.admin);
  const altered = ticket.slice(0, 20) + (ticket[20] === 'a' ? 'b' : 'a') + ticket.slice(21);
  for (const text of [altered, ticket.slice(0, -1), `${ticket}x`, ticket.toUpperCase(), 'x', scene.admin.key])
    await assertUseless({ ticket: text });
  assert.equal((await refusedStream(world, { ticket: '' })).status, 401);
  assert.equal((await open(ticket)).status, 200);
});

test('a ticket is neither stored nor logged in plain text, and counts as a use of its key', async () => {
  const secret = await scene.secret();
  const { ticket } = await ticketOf(world.as(secret.key));
  assert.deepEqual(await placesWith(world, ticket), []);
  assert.deepEqual(await placesWith(world, ticket.slice('ticket_plv_'.length, -6)), []);
  const encoded = [...ticket].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
  for (const path of [
    `/api/v1/events?ticket=${ticket}`,
    `/api/v1/events%3fticket=${ticket}`,
    `/api/v1/events/${ticket}`,
    `/api/v1/events;ticket=${encoded}`,
    `/api/v1/events?ticket=${ticket}&ticket=${ticket}&${ticket}=1`,
    `http://${ticket}@x/api/v1/events?ticket=${ticket}`,
    `/${scene.admin.key}`,
  ]) {
    log.length = 0;
    const client = new RawClient(world);
    client.send(
      `GET ${path} HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\nReferer: http://x/?${ticket}\r\n\r\n`,
    );
    await until(() => client.received.includes('\r\n\r\n'));
    client.close();
    // A stream closed by its client is not logged.
    if (!client.received.startsWith('HTTP/1.1 200'))
      await until(() => log.some((line) => line.includes('"request"')));
    for (const text of [ticket, ticket.slice(11, 30), encoded, scene.admin.key])
      assert.ok(!log.join('').toLowerCase().includes(text.toLowerCase()), log.join(''));
  }
  const metrics = await (await fetch(`${world.url}/metrics`)).text();
  assert.ok(!metrics.includes(ticket));
  assert.ok((await used(world.as(secret.key))).key.lastUsedAt > 0);
});

test("failed tickets count against their address's limit, and other tickets against their user's", async () => {
  const own = await World.open({ limits: { '*': 0, authentication: 3, query: 2, ticket: 4 } });
  try {
    const { admin } = await Scene.open(own);
    const tickets: string[] = [];
    for (let time = 0; time < 4; time++) tickets.push((await ticketOf(admin)).ticket);
    assertRefused(await admin.post('/events/tickets'), 'RATE_LIMITED');
    const codes: (number | string)[] = [];
    for (const ticket of [
      ...tickets.slice(0, 3),
      tickets[0],
      tickets[0],
      tickets[0],
      tickets[0],
    ] as string[]) {
      const stream = await EventStream.open(own, '', { ticket }, asEventSource);
      codes.push(stream.status);
      stream.close();
    }
    assert.deepEqual(codes, [200, 200, 429, 401, 401, 401, 429]);
  } finally {
    await own.close();
  }
});
