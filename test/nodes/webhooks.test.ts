import assert from 'node:assert/strict';

import { ask } from '../support/databases.ts';
import { after, before, Site, test } from '../support/nodes.ts';
import { until } from '../support/process.ts';
import { Receiver } from '../support/receiver.ts';
import type { Json } from '../support/world.ts';

const NODES = 3;
const MESSAGES = 200;
const environment = { PALAVER_PRIVATE_WEBHOOKS: 'true' };

let site: Site;
let receiver: Receiver;

/** The node that holds a webhook's lease, by its name in the database; null if there is none. */
async function holderOf({ id }: Json): Promise<string | null> {
  const [row] = (await ask(site.database, 'select owner from "webhookState" where id = $1', [id])) as Json[];
  return row.owner;
}

const webhook = (path: string): Promise<Json> =>
  site.make('/webhooks', { url: receiver.url + path, types: ['message.created'] });

/** Sends messages at the same time, to the nodes in turn. */
const say = (count: number, nodes = NODES): Promise<Json[]> =>
  Promise.all(
    Array.from({ length: count }, (_, index) =>
      site.make('/messages', { channelId: site.channelId, content: `message ${index}` }, index % nodes),
    ),
  );

const seqsAt = (path: string): number[] =>
  receiver.deliveries.filter((delivery) => delivery.path === path).map(({ event }) => event.seq);

const ascending = (seqs: readonly number[]): number[] => [...seqs].sort((one, other) => one - other);

before(async () => {
  site = await Site.open(NODES, environment);
  receiver = await Receiver.open();
});
after(async () => {
  await receiver?.close();
  await site?.close();
});

test('webhooks deliver each event once and in order, regardless of the node that appended it', async () => {
  await webhook('/one');
  await webhook('/two');
  await say(MESSAGES);
  await receiver.got(2 * MESSAGES, 30_000);
  await say(1);
  await receiver.got(2 * MESSAGES + 2);
  for (const path of ['/one', '/two']) {
    const seqs = seqsAt(path);
    assert.equal(new Set(seqs).size, MESSAGES + 1);
    assert.deepEqual(seqs, ascending(seqs), 'in order, without repeats');
  }
});

test('another node takes over webhooks after their node was killed', async () => {
  const made = await webhook('/killed');
  // No delivery has a response yet, so the kill happens in the middle of one.
  const waiting: (() => void)[] = [];
  receiver.otherwise = (response) => waiting.push(() => response.end());
  await say(20);
  await until(() => seqsAt('/killed').length === 1);
  const holder = await holderOf(made);
  // The test cannot tell which process holds the webhook: it kills all except the last, and restarts them.
  const [first, second] = [site.at(0), site.at(1)];
  const [keptOn] = await Promise.all([site.at(2), first.end('SIGKILL'), second.end('SIGKILL')]);
  receiver.otherwise = 200;
  for (const go of waiting) go();
  // The dead node's lease would expire on its own; this shortens the wait.
  if ((await holderOf(made)) === holder) {
    await ask(site.database, 'update "webhookState" set "ownedUntil" = 0 where owner is not null', []);
  }
  await until(() => new Set(seqsAt('/killed')).size === 20, 20_000);
  const seqs = seqsAt('/killed');
  const firsts = seqs.filter((seq, index) => seqs.indexOf(seq) === index);
  assert.deepEqual(firsts, ascending(firsts));
  assert.ok(seqs.length <= 21, 'at most the delivery in flight arrived twice');
  assert.equal(keptOn.child.exitCode, null);
  site.nodes[0] = await site.start(environment);
  site.nodes[1] = await site.start(environment);
});

test('another node takes over webhooks immediately when their node is stopped', async () => {
  await webhook('/stopped');
  await say(30);
  for (const number of [0, 1]) {
    const before = seqsAt('/stopped').length;
    assert.equal(await site.at(number).end(), 0);
    site.nodes[number] = site.at(2);
    await say(10);
    await until(() => seqsAt('/stopped').length >= Math.max(before, 30) + 10, 8_000);
  }
  const seqs = seqsAt('/stopped');
  assert.deepEqual(
    seqs,
    ascending(new Set(seqs).size === seqs.length ? seqs : []),
    'in order, without repeats',
  );
  assert.equal(seqs.length, 50);
});
