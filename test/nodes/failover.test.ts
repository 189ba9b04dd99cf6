import assert from 'node:assert/strict';

import { ask } from '../support/databases.ts';
import { EventStream } from '../support/eventStream.ts';
import { after, before, Site, test } from '../support/nodes.ts';
import { type PostgresServer, startPostgres } from '../support/postgresServer.ts';
import { call, type Running, until } from '../support/process.ts';
import { Route } from '../support/route.ts';

const NODES = 2;
/**
 * The number of events that the standby never gets, and of events written after its promotion. The second
 * number is larger, so the sequence numbers overlap.
 */
const LOST = 5;
const WRITTEN = 20;

let site: Site;
let standby: PostgresServer | undefined;
const route = new Route();

const send = async (node: Running, content: string): Promise<string> => {
  const body = { channelId: site.channelId, content };
  for (let status = 0; ; ) {
    const answer = await call(node, 'POST', '/api/v1/messages', { key: site.key, body });
    if (answer.status === 200) return answer.body.data.id;
    // The standby is not promoted yet.
    assert.equal(answer.status, 503, `${status} ${answer.text}`);
    status = answer.status;
  }
};

const contentsOf = (stream: EventStream): string[] =>
  stream.events.filter(({ type }) => type === 'message.created').map(({ data }) => data.content);

const contents = (name: string, count: number) => Array.from({ length: count }, (_, n) => `${name} ${n}`);

before(async () => {
  site = await Site.open(0);
  const address = await route.open(site.database);
  for (let node = 0; node < NODES; node++) site.nodes.push(await site.start({ DATABASE_URL: address }));
  const [first] = site.nodes as [Running];
  Object.assign(site, { key: first.key, channelId: first.channelId });
});
after(async () => {
  await site?.close();
  await standby?.close();
  route.close();
});

test('readers that saw lost events get a reset and miss no new event', async (t) => {
  const [first] = site.nodes as [Running];
  await send(first, 'kept');
  standby = await startPostgres({ standbyOf: site.postgres });
  const promoted = Object.assign(new URL(site.database), { port: String(standby.port) }).href;
  const latest = 'select count(*)::int as count from event';
  const [{ count }] = (await ask<{ count: number }>(site.database, latest)) as [{ count: number }];
  await until(async () => (await ask<{ count: number }>(promoted, latest))[0]?.count === count);
  await standby.stop('fast');

  const streams = await Promise.all(site.nodes.map((node) => EventStream.open(node, site.key)));
  for (const content of contents('lost', LOST)) await send(first, content);
  await until(() => streams.every((stream) => contentsOf(stream).length === LOST));
  const cursors = streams.map(({ blocks }) => blocks.findLast(({ id }) => id)?.id as string);

  await site.postgres.stop('kill');
  await standby.start();
  route.lead(standby.port);
  await standby.promote();
  const from = performance.now();
  for (const content of contents('new', WRITTEN)) await send(first, content);
  t.diagnostic(
    `the first ${WRITTEN} were written ${Math.round(performance.now() - from)} ms after the promotion`,
  );
  const rows = await ask<{ content: string }>(
    promoted,
    `select content from event join message on message.id = "contentOf" where event.type = 'message.created' order by seq`,
  );
  assert.deepEqual(
    rows.map(({ content }) => content),
    ['kept', ...contents('new', WRITTEN)],
  );

  for (const [number, stream] of streams.entries()) {
    await stream.over();
    t.diagnostic(`a stream ended ${Math.round(performance.now() - from)} ms after the promotion`);
    assert.deepEqual(contentsOf(stream), contents('lost', LOST), 'no event follows a gap');
    const cursor = cursors[number] as string;
    const again = await EventStream.open(site.at(number), site.key, {}, { 'last-event-id': cursor });
    await until(() => again.blocks.length > 1);
    assert.ok(
      again.blocks.some(({ event }) => event === 'reset'),
      'there is no reset',
    );
    again.close();
  }
});

test('a reader that starts at the oldest event with a filter gets new matching events after a failover', async () => {
  const [first] = site.nodes as [Running];
  const { port } = standby as PostgresServer;
  const promoted = Object.assign(new URL(site.database), { port: String(port) }).href;
  const asAdmin = { key: site.key, body: { description: 'after it' } };
  assert.equal((await call(first, 'PATCH', `/api/v1/channels/${site.channelId}`, asAdmin)).status, 200);
  // Deletes events, as upkeep does.
  await ask(promoted, 'delete from event where seq < 3');
  const page = await call(first, 'GET', '/api/v1/events?types=channel.updated', { key: site.key });
  assert.equal(page.status, 200, page.text);
  assert.equal(page.body.data.length, 1);
});
