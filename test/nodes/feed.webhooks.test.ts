import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';

import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { ask } from '../support/databases.ts';
import { after, before, Site, test } from '../support/nodes.ts';
import { call, until } from '../support/process.ts';
import { type Delivery, Receiver } from '../support/receiver.ts';
import { seeded } from '../support/seeded.ts';
import { makePlaces, type Place, Storm } from '../support/storm.ts';
import type { Json } from '../support/world.ts';

const random = seeded();

const NODES = 3;
const PLACES = 3;
/** Senders in each server. */
const SENDERS = 2;
/**
 * The share of attempts that a receiver rejects, at most one for each event: after a second failure, the retry would
 * come minutes later.
 */
let failing = 0.01;
/** The number of events that a killed node may deliver again: those accepted but not stored yet. */
const MAX_REPEATS = 20;
/** The longest response time of a receiver. */
const SLOWEST_MS = 10;
/**
 * The longest time that webhooks may take to catch up after the last write, including leases of killed nodes.
 */
const QUIET_MS = 90_000;
const environment = { PALAVER_PRIVATE_WEBHOOKS: 'true' };

interface Logged {
  seq: number;
  type: string;
  channelId: string | null;
}

/** A webhook, its receiver, and the deliveries that the receiver has accepted, in order, with repeats. */
interface Line {
  place: Place;
  receiver: Receiver;
  secret: string;
  accepted: Delivery[];
  isFor(event: Logged): boolean;
}

let site: Site;
let storm: Storm;
const lines: Line[] = [];
/** For each server, the latest sequence number before the faults, and its log after it. */
const starts = new Map<string, number>();
const logs = new Map<string, Logged[]>();

const post = async (key: string, path: string, body: object): Promise<Json> => {
  const answer = await call(site.at(0), 'POST', `/api/v1${path}`, { key, body });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
};

/** Adds a webhook with a receiver that sometimes fails. */
async function addLine(place: Place, key: string, fields: object, isFor: Line['isFor']): Promise<void> {
  const receiver = await Receiver.open();
  const accepted: Delivery[] = [];
  const failed = new Set<unknown>();
  receiver.otherwise = async (response, delivery) => {
    await sleep(random.next() * SLOWEST_MS);
    const id = delivery.headers['webhook-id'];
    if (random.next() < failing && !failed.has(id)) {
      failed.add(id);
      return fail(response);
    }
    accepted.push(delivery);
    response.writeHead(204).end();
  };
  const { secret } = await post(key, '/webhooks', { url: receiver.url, ...fields });
  lines.push({ place, receiver, secret, accepted, isFor });
}

function fail(response: ServerResponse): void {
  if (random.next() < 0.5) response.writeHead(500).end();
  else response.destroy();
}

/** A server's log after a sequence number. */
async function logAfter({ serverId }: Place, seq: number): Promise<Logged[]> {
  const rows = await ask<Omit<Logged, 'seq'> & { seq: string }>(
    site.database,
    'select seq, type, "channelId" from event where "logId" = $1 and seq > $2 order by seq',
    [serverId, seq],
  );
  return rows.map((row) => ({ ...row, seq: Number(row.seq) }));
}

const startOf = ({ place }: Line): number => starts.get(place.serverId) as number;
const expectedOf = (line: Line): number[] =>
  (logs.get(line.place.serverId) as Logged[]).filter(line.isFor).map(({ seq }) => seq);
const seqOf = ({ event }: Delivery): number => event.seq;

before(async () => {
  site = await Site.open(NODES, environment);
  const places = await makePlaces(site, PLACES, 0);
  for (const place of places) {
    const { id: roleId } = await post(place.key, '/roles', { name: 'Apps', canEditApp: true });
    const { key } = await post(place.key, '/secrets', { kind: 'apiKey', name: 'Apps', roleId });
    await addLine(place, place.key, {}, () => true);
    await addLine(place, place.key, { types: ['message.created', 'server.*'] }, ({ type }) =>
      /^(message\.created|server\..*)$/.test(type),
    );
    await addLine(place, key, {}, ({ channelId }) => channelId !== place.closedId);
  }
  for (const place of places) starts.set(place.serverId, (await logAfter(place, 0)).at(-1)?.seq ?? 0);
  storm = new Storm(site, places, SENDERS, environment);
});
after(async () => {
  await storm?.stop().catch(() => {});
  await site?.close();
  await Promise.all(lines.map(({ receiver }) => receiver.close()));
});

test('webhooks continue while nodes are killed and receivers fail', async (t) => {
  storm.start();
  await storm.rage();
  await storm.stop();
  failing = 0;
  t.diagnostic(JSON.stringify(storm.counts));
});

test('webhooks deliver every event in the end', async (t) => {
  const begun = performance.now();
  for (const { place } of lines) {
    logs.set(place.serverId, await logAfter(place, starts.get(place.serverId) as number));
  }
  const isThere = (line: Line) => {
    const last = expectedOf(line).at(-1);
    return line.accepted.some((delivery) => seqOf(delivery) === last);
  };
  await until(() => lines.every(isThere), QUIET_MS, 100).catch(() => {});
  t.diagnostic(`everything was delivered ${Math.round(performance.now() - begun)} ms after the last write`);
  // Waits for repeated deliveries to arrive, if there are any.
  await sleep(2_000);
  assert.equal(lines.filter((line) => !isThere(line)).length, 0, 'some webhooks lag behind');
});

test('webhooks deliver each event in the order of the log', (t) => {
  let repeated = 0;
  for (const line of lines) {
    const seqs = line.accepted.map(seqOf).filter((seq) => seq > startOf(line));
    const first = [...new Set(seqs)];
    repeated += seqs.length - first.length;
    const expected = expectedOf(line);
    const wrong = first.findIndex((seq, index) => seq !== expected[index]);
    assert.equal(wrong, -1, `${first[wrong]} instead of ${expected[wrong]}`);
    assert.equal(first.length, expected.length);
    // A node that takes over resumes after the last event whose acceptance was stored.
    let latest = 0;
    for (const seq of seqs) {
      const place = expected.indexOf(seq);
      assert.ok(latest - place < MAX_REPEATS, `went back from position ${latest} to ${place}`);
      latest = Math.max(latest, place);
    }
  }
  const sent = lines.reduce((total, { receiver }) => total + receiver.deliveries.length, 0);
  t.diagnostic(`${sent} requests, ${repeated} events were accepted more than once`);
});

test('each repeat of a webhook event has the same webhook-id, and a signature', () => {
  for (const { receiver, secret, place } of lines) {
    const texts = new Map<number, string>();
    for (const delivery of receiver.deliveries) {
      const { headers, text, event } = delivery;
      assert.equal(headers['webhook-id'], event.id);
      assert.equal(event.serverId, place.serverId);
      assert.equal(texts.get(event.seq) ?? text, text, 'repeats are identical');
      texts.set(event.seq, text);
      new Webhook(secret).verify(text, headers as Record<string, string>);
    }
  }
});
