// @run waits: waits most of its time
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { EventStream } from '../support/eventStream.ts';
import { Site, skip } from '../support/nodes.ts';
import { call, until } from '../support/process.ts';
import { asEventSource } from '../support/tickets.ts';

const NODES = 3;
const ROUNDS = 10;

let site: Site;
before(async () => {
  if (!skip) site = await Site.open(NODES);
});
after(() => site?.close());

async function ticketFrom(node: number): Promise<string> {
  const { status, text, body } = await call(site.at(node), 'POST', '/api/v1/events/tickets', {
    key: site.key,
  });
  assert.equal(status, 200, text);
  return body.data.ticket;
}

const open = (node: number, ticket: string): Promise<EventStream> =>
  EventStream.open(site.at(node), '', { ticket }, asEventSource);

test('a ticket opens only one stream, even if all nodes get it at the same time', { skip }, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const ticket = await ticketFrom(round);
    const asked = await Promise.all(Array.from({ length: 3 * NODES }, (_, node) => open(node, ticket)));
    for (const stream of asked) stream.close();
    const opened = asked.filter(({ status }) => status === 200);
    assert.equal(opened.length, 1, asked.map(({ status }) => status).join());
    for (let node = 0; node < NODES; node++) {
      const late = await open(node, ticket);
      assert.equal(late.status, 401);
      late.close();
    }
  }
});

test('a stream opened by a ticket on one node ends when its key is revoked on another', {
  skip,
}, async () => {
  const secret = await site.mint();
  const { body } = await call(site.at(0), 'POST', '/api/v1/events/tickets', { key: secret.key });
  const stream = await open(1, body.data.ticket);
  assert.equal(stream.status, 200);
  const { status } = await call(site.at(2), 'DELETE', `/api/v1/secrets/${secret.id}`, { key: site.key });
  assert.equal(status, 200);
  await until(() => stream.isOver, 5_000);
});
