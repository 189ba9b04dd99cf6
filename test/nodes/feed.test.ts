import assert from 'node:assert/strict';

import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from '../support/databases.ts';
import { after, before, Site, test } from '../support/nodes.ts';
import { call, until } from '../support/process.ts';
import { seeded } from '../support/seeded.ts';
import { makePlaces, type Place, Storm } from '../support/storm.ts';
import { differenceOf, Follower, type Seen, type Way } from '../support/streams.ts';
import type { Json } from '../support/world.ts';

const random = seeded();

const NODES = 3;
const PLACES = 3;
const MEMBERS = 4;
/** Senders in each server. */
const SENDERS = 6;
const CLIENTS = 120;
/** The average time until the last client starts. */
const ARRIVAL_MS = 12_000;
/** The average time until a client cuts its connection. */
const CUT_MS = 3_000;
/** The longest time that clients may take to catch up after the last write. */
const QUIET_MS = 30_000;

/** An event as stored in the log, with its cursor. */
interface Logged extends Pick<Seen, 'seq' | 'id' | 'type'> {
  channelId: string | null;
}

interface Watching {
  place: Place;
  follower: Follower;
  /** True if the client should get the event. */
  isFor(event: Logged): boolean;
}

const ways: readonly Way[] = ['stream', 'stream', 'pages', 'both'];
/** True for events that members without further flags see. */
const isForMembers = ({ type }: Logged): boolean => !/^(secret|flow|webhook|appInstall)\./.test(type);

let site: Site;
let places: Place[];
let storm: Storm;
const watching: Watching[] = [];
const logs = new Map<string, Logged[]>();

/** The client with this number: its place, its key (the creator's or a member's), and its filter, if any. */
function clientOf(number: number): Watching {
  const place = places[number % PLACES] as Place;
  const turn = Math.floor(number / PLACES);
  const memberKey = place.memberKeys[turn % (2 * MEMBERS)];
  const isPicky = turn % 5 === 4;
  const follower = new Follower({
    key: memberKey ?? place.key,
    way: ways[turn % ways.length] as Way,
    nodeAt: (node) => site.at(node),
    query: isPicky ? { types: 'message.created,server.*' } : {},
    cutAfter: CUT_MS,
  });
  const isFor = (event: Logged) =>
    (!memberKey || (isForMembers(event) && event.channelId !== place.closedId)) &&
    (!isPicky || event.type === 'message.created' || event.type.startsWith('server.'));
  return { place, follower, isFor };
}

/** A server's log: its rows, each with the cursor from a node's pages. */
async function logOf({ serverId, key }: Place): Promise<Logged[]> {
  const rows = await ask<{ seq: string; type: string; channelId: string | null }>(
    site.database,
    'select seq, type, "channelId" from event where "logId" = $1 order by seq',
    [serverId],
  );
  const told: Json[] = [];
  for (let isAll = false; !isAll; ) {
    const after = told.length > 0 ? `&after=${told.at(-1).id}` : '';
    const { body } = await call(site.at(0), 'GET', `/api/v1/events?limit=100${after}`, { key });
    told.push(...body.data);
    isAll = body.data.length === 0;
  }
  assert.deepEqual(
    rows.map(({ seq, type }) => [Number(seq), type]),
    told.map(({ type }, index) => [index + 1, type] as const),
    'the pages contain the whole log, without gaps',
  );
  assert.ok(told.every(({ seq }, index) => seq === index + 1));
  return rows.map(({ seq, type, channelId }, index) => ({
    seq: Number(seq),
    type,
    channelId,
    id: told[index].id,
  }));
}

/** The events that a client should have received since its first cursor. */
function expectedOf({ place, follower, isFor }: Watching): Logged[] {
  const log = logs.get(place.serverId) as Logged[];
  const begun = follower.begun === '' ? 0 : log.findIndex(({ id }) => id === follower.begun) + 1;
  assert.ok(follower.begun === '' || begun > 0, `unknown cursor ${follower.begun}`);
  return log.slice(begun).filter(isFor);
}

/** A fault with the node's log lines about its request. */
function withLog(fault: string): string {
  const [, requestId] = /"requestId":"([^"]+)"/.exec(fault) ?? [];
  const lines = [...site.nodes, ...storm.killed].flatMap((node) => node.log().split('\n'));
  return [fault, ...lines.filter((line) => requestId && line.includes(requestId))].join('\n');
}

before(async () => {
  site = await Site.open(NODES);
  places = await makePlaces(site, PLACES, MEMBERS);
  storm = new Storm(site, places, SENDERS);
});
after(async () => {
  await storm?.stop().catch(() => {});
  await Promise.all(watching.map(({ follower }) => follower.stop()));
  await site?.close();
});

test('clients connect and disconnect while nodes are killed and transactions commit late', async (t) => {
  storm.start();
  const raging = storm.rage();
  raging.catch(() => {});
  for (let number = 0; number < CLIENTS; number++) {
    const client = clientOf(number);
    watching.push(client);
    client.follower.start(number);
    await sleep((random.next() * 2 * ARRIVAL_MS) / CLIENTS);
  }
  await raging;
  await storm.stop();
  t.diagnostic(JSON.stringify(storm.counts));
});

test('all clients have every event in the end', async (t) => {
  const begun = performance.now();
  for (const { follower } of watching) follower.settle();
  for (const place of places) logs.set(place.serverId, await logOf(place));
  const isThere = (client: Watching) =>
    (client.follower.seen.at(-1)?.seq ?? 0) >= (expectedOf(client).at(-1)?.seq ?? 0);
  await until(() => watching.every(isThere), QUIET_MS, 100).catch(() => {});
  t.diagnostic(
    `all clients were up to date ${Math.round(performance.now() - begun)} ms after the last write`,
  );
  // Waits for repeated events to arrive, if there are any.
  await sleep(1_000);
  await Promise.all(watching.map(({ follower }) => follower.stop()));
  const behind = watching.filter((client) => !isThere(client)).length;
  assert.equal(behind, 0, `${behind} clients lag behind`);
});

test('each client gets each event once, in the order of the log, starting at its first cursor', (t) => {
  const wrong = watching.flatMap((client, number) => {
    const difference = differenceOf(client.follower.seen, expectedOf(client));
    return difference ? [`client ${number}: ${difference}`] : [];
  });
  assert.deepEqual(wrong.slice(0, 10), []);
  const sum = (of: (follower: Follower) => number) =>
    watching.reduce((total, { follower }) => total + of(follower), 0);
  const events = [...logs.values()].map(({ length }) => length);
  t.diagnostic(`${events} events in the logs, ${sum(({ seen }) => seen.length)} delivered`);
  t.diagnostic(`over ${sum(({ connections }) => connections)} connections`);
});

test('clients see no faults except 503 and lost connections', (t) => {
  const faults = watching.flatMap(({ follower }) => follower.faults);
  assert.deepEqual(faults.slice(0, 10).map(withLog), []);
  const refusals = new Map<number, number>();
  for (const { follower } of watching) {
    for (const [status, count] of follower.refusals)
      refusals.set(status, (refusals.get(status) ?? 0) + count);
  }
  t.diagnostic(`${refusals.get(0) ?? 0} requests without a response, ${refusals.get(503) ?? 0} with 503`);
  assert.deepEqual(
    [...refusals.keys()].filter((status) => status !== 0 && status !== 503),
    [],
  );
});

test('the logs hold every acknowledged message once', async () => {
  const created = await ask<{ content: string }>(
    site.database,
    `select content from event join message on message.id = "contentOf" where event.type = 'message.created'`,
  );
  const contents = created.map(({ content }) => content);
  assert.equal(new Set(contents).size, contents.length);
  assert.deepEqual(storm.sent.toSorted(), contents.toSorted());
});
