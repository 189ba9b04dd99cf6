import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from '../support/databases.ts';
import { Site, skip } from '../support/nodes.ts';
import { call, until } from '../support/process.ts';
import { makePlaces, type Place, Storm } from '../support/storm.ts';
import { differenceOf, Follower, type Seen, type Way } from '../support/streams.ts';
import type { Json } from '../support/world.ts';

const NODES = 3;
const PLACES = 3;
const MEMBERS = 4;
/** In each server. */
const SENDERS = 6;
const CLIENTS = 200;
/** How long after the start the last client comes, in milliseconds. */
const ARRIVAL_MS = 12_000;
/** How long a connection lives on average before its client cuts it, in milliseconds. */
const CUT_MS = 3_000;
/** How long clients may take to catch up when all is quiet, in milliseconds. */
const QUIET_MS = 30_000;

/** An event as it lies in the log, with the id that it is told under. */
interface Logged extends Pick<Seen, 'seq' | 'id' | 'type'> {
  channelId: string | null;
}

interface Watching {
  place: Place;
  follower: Follower;
  /** True if the client is to be told of the event. */
  isFor(event: Logged): boolean;
}

const ways: readonly Way[] = ['stream', 'stream', 'pages', 'both'];
/** What members without further flags do not see. */
const isForMembers = ({ type }: Logged): boolean => !/^(secret|flow|webhook|appInstall)\./.test(type);

let site: Site;
let places: Place[];
let storm: Storm;
const watching: Watching[] = [];
const logs = new Map<string, Logged[]>();

/** The client of this number: of some place, as its creator or a member, with a filter or without. */
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

/** A server's log: its rows, each with the id that a node tells it under. */
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
    'the pages hold the whole log, without gaps',
  );
  assert.ok(told.every(({ seq }, index) => seq === index + 1));
  return rows.map(({ seq, type, channelId }, index) => ({
    seq: Number(seq),
    type,
    channelId,
    id: told[index].id,
  }));
}

/** What a client is to have been told, from where it began. */
function expectedOf({ place, follower, isFor }: Watching): Logged[] {
  const log = logs.get(place.serverId) as Logged[];
  const begun = follower.begun === '' ? 0 : log.findIndex(({ id }) => id === follower.begun) + 1;
  assert.ok(follower.begun === '' || begun > 0, `nobody knows the cursor ${follower.begun}`);
  return log.slice(begun).filter(isFor);
}

/** A fault with what a node has logged of its request. */
function withLog(fault: string): string {
  const [, requestId] = /"requestId":"([^"]+)"/.exec(fault) ?? [];
  const lines = [...site.nodes, ...storm.killed].flatMap((node) => node.log().split('\n'));
  return [fault, ...lines.filter((line) => requestId && line.includes(requestId))].join('\n');
}

describe(`${CLIENTS} clients that follow ${PLACES} servers over ${NODES} nodes`, { skip }, () => {
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

  test('come and go, while nodes are killed and commits come late', async (t) => {
    storm.start();
    const raging = storm.rage();
    raging.catch(() => {});
    for (let number = 0; number < CLIENTS; number++) {
      const client = clientOf(number);
      watching.push(client);
      client.follower.start(number);
      await sleep((Math.random() * 2 * ARRIVAL_MS) / CLIENTS);
    }
    await raging;
    await storm.stop();
    t.diagnostic(JSON.stringify(storm.counts));
  });

  test('are all told of everything in the end', async (t) => {
    const begun = performance.now();
    for (const { follower } of watching) follower.settle();
    for (const place of places) logs.set(place.serverId, await logOf(place));
    const isThere = (client: Watching) =>
      (client.follower.seen.at(-1)?.seq ?? 0) >= (expectedOf(client).at(-1)?.seq ?? 0);
    await until(() => watching.every(isThere), QUIET_MS, 100).catch(() => {});
    t.diagnostic(`they were there ${Math.round(performance.now() - begun)} ms after the last write`);
    // What would be told twice comes now.
    await sleep(1_000);
    await Promise.all(watching.map(({ follower }) => follower.stop()));
    const behind = watching.filter((client) => !isThere(client)).length;
    assert.equal(behind, 0, `${behind} are behind`);
  });

  test('have been told of each event once, in the order of the log, from where they began', (t) => {
    const wrong = watching.flatMap((client, number) => {
      const difference = differenceOf(client.follower.seen, expectedOf(client));
      return difference ? [`client ${number}: ${difference}`] : [];
    });
    assert.deepEqual(wrong.slice(0, 10), []);
    const sum = (of: (follower: Follower) => number) =>
      watching.reduce((total, { follower }) => total + of(follower), 0);
    const events = [...logs.values()].map(({ length }) => length);
    t.diagnostic(`logs of ${events} events, ${sum(({ seen }) => seen.length)} told`);
    t.diagnostic(`over ${sum(({ connections }) => connections)} connections`);
  });

  test('have met nothing but that', (t) => {
    const faults = watching.flatMap(({ follower }) => follower.faults);
    assert.deepEqual(faults.slice(0, 10).map(withLog), []);
    const refusals = new Map<number, number>();
    for (const { follower } of watching) {
      for (const [status, count] of follower.refusals)
        refusals.set(status, (refusals.get(status) ?? 0) + count);
    }
    t.diagnostic(`without an answer ${refusals.get(0) ?? 0}, with 503 ${refusals.get(503) ?? 0}`);
    assert.deepEqual(
      [...refusals.keys()].filter((status) => status !== 0 && status !== 503),
      [],
    );
  });

  test('have followed logs that hold every acknowledged message once', async () => {
    const created = await ask<{ content: string }>(
      site.database,
      `select data::json ->> 'content' as content from event where type = 'message.created'`,
    );
    const contents = created.map(({ content }) => content);
    assert.equal(new Set(contents).size, contents.length);
    assert.deepEqual(storm.sent.toSorted(), contents.toSorted());
  });
});
