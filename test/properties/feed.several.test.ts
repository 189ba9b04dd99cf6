import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Viewer } from '../../server/src/access/visibility.ts';
import { type EventKind, EventTable, eventsOf } from '../../server/src/feed/eventKind.ts';
import { Everywhere } from '../../server/src/feed/everywhere.ts';
import { Feed } from '../../server/src/feed/feed.ts';
import { appendEvent } from '../../server/src/feed/log.ts';
import type { LoggedEvent } from '../../server/src/feed/logged.ts';
import { type Reading, untilMore } from '../../server/src/feed/reading.ts';
import { SeveralReaders } from '../../server/src/feed/several.ts';
import { body, count, id } from '../../server/src/operations/fields.ts';
import { until } from '../support/process.ts';
import { type Json, World } from '../support/world.ts';

// Logs of servers and of users, read as one stream.

const note = body({ serverId: id(), userId: id(), number: count() });
const inServer = eventsOf('note', { data: note, audience: 'member' }, { created: 'A note was made' });
const ofUser = eventsOf('mark', { data: note, audience: 'self', log: 'user' }, { moved: 'A mark was moved' });
const events = new EventTable([inServer.created, ofUser.moved] as EventKind[]);

let world: World;
let feed: Feed;
let users: Json[];
let servers: Json[];
before(async () => {
  world = await World.open();
  feed = new Feed(world.data.db, world.data.deps, events);
  users = [await world.user(), await world.user()];
  servers = await Promise.all([0, 1, 2].map(() => world.server(users[0])));
});
after(async () => {
  feed.close();
  await world.close();
});

/** Appends a note to the log of a server or of a user. */
async function append(kind: EventKind, server: Json, user: Json, number: number): Promise<void> {
  const { db, deps } = world.data;
  const data = { serverId: server.id, userId: user.id, number };
  const address = kind.addressOf(data);
  const ofUser = address.logId === user.id ? [user.id] : [];
  await db.write(
    (tx) =>
      appendEvent(tx, { type: kind.type, ...address, actorId: null, actor: 'system', at: deps.now(), data }),
    server.id,
    ofUser,
  );
  feed.wake([address.logId]);
}

const viewerOf = (user: Json, serverId: string | null): Viewer => ({
  serverId,
  userId: user.id,
  isServerCreator: false,
  roleIds: [],
  flags: new Set(),
});

/** A user's readers of these logs, starting at the given cursors. */
async function readersOf(user: Json, logIds: string[], cursors = new Map<string, string>()) {
  return Promise.all(
    logIds.map(async (logId) => {
      const serverId = logId === user.id ? null : logId;
      const reader = await feed.reader(logId, {}, async () => viewerOf(user, serverId));
      const cursor = cursors.get(logId);
      if (cursor) assert.equal(await reader.seek(cursor), undefined);
      else await reader.seekOldest();
      return reader;
    }),
  );
}

async function take(reading: Reading, limit: number): Promise<LoggedEvent[]> {
  const taken: LoggedEvent[] = [];
  while (taken.length < limit) {
    const more = await reading.next(limit - taken.length);
    taken.push(...more);
    assert.equal(reading.hasMore, !reading.isAtEnd, 'no events arrive meanwhile');
    if (reading.isAtEnd) break;
  }
  return taken;
}

const numberOf = ({ json }: LoggedEvent): number => JSON.parse(json).data.number;

test('several logs form one stream: each log in order, without gaps or repeats, across any interruption', async () => {
  const [user] = users;
  const logIds = [user.id, ...servers.map(({ id }) => id)];
  const written = new Map<string, number[]>(logIds.map((id) => [id, []]));
  for (let number = 0; number < 300; number++) {
    const server = servers[(number * 7) % 3];
    const isOwn = number % 4 === 0;
    await append(isOwn ? ofUser.moved : inServer.created, server, user, number);
    written.get(isOwn ? user.id : server.id)?.push(number);
  }
  const seen = new Map<string, number[]>(logIds.map((id) => [id, []]));
  let cursors = new Map<string, string>();
  for (let round = 0; ; round++) {
    // A client that reconnects: it reads each log after the last event that it got from that log.
    const reading = new SeveralReaders(await readersOf(user, logIds, cursors));
    const taken = (await take(reading, 1 + ((round * 5) % 13))).filter(({ kind }) => kind);
    cursors = new Map(cursors);
    for (const event of taken) {
      seen.get(event.logId)?.push(numberOf(event));
      cursors.set(event.logId, event.id);
    }
    const isDone = reading.isAtEnd && taken.length === 0;
    reading.close();
    if (isDone) break;
  }
  for (const logId of logIds) assert.deepEqual(seen.get(logId), written.get(logId), logId);
});

test('a busy log does not delay the others', async () => {
  const [, user] = users;
  for (let number = 0; number < 120; number++) await append(inServer.created, servers[0], user, number);
  await append(ofUser.moved, servers[0], user, 1);
  const reading = new SeveralReaders(await readersOf(user, [servers[0].id, user.id]));
  const turns: string[] = [];
  for (let turn = 0; turn < 3; turn++) turns.push(...(await reading.next(20)).map(({ logId }) => logId));
  assert.equal(reading.hasMore, true);
  assert.ok(turns.includes(user.id), 'events of the short log arrived within three batches of the long one');
  reading.close();
});

test('new events in any log wake the reader, and are read from memory', async () => {
  const [user] = users;
  const readers = await readersOf(user, [user.id, servers[1].id]);
  for (const reader of readers) await reader.seekLatest();
  const reading = new SeveralReaders(readers);
  for (const [kind, number] of [
    [ofUser.moved, 1001],
    [inServer.created, 1002],
  ] as const) {
    const woken = untilMore(reading, 5_000);
    await append(kind, servers[1], user, number);
    await woken;
    const told = reading.recent() ?? (await reading.next(10));
    assert.deepEqual(told.map(numberOf), [number]);
  }
  assert.deepEqual([reading.isAtEnd, reading.recent()], [true, []]);
  assert.equal(reading.cursor.split(',').length, 2);
  reading.close();
});

test("a server's log restarts for a user who was not a member and has rejoined", async () => {
  const [user] = users;
  const [server] = servers;
  let isAway = false;
  const { reading } = await Everywhere.open(
    feed,
    {
      userId: user.id,
      servers: async () => [server.id],
      viewer: async (logId) => viewerOf(user, logId === user.id || isAway ? null : logId),
    },
    [],
  );
  const told: string[] = [];
  reading.tellLeft = (id) => told.push(`left ${id}`);
  reading.tellJoined = (id) => told.push(`joined ${id}`);
  isAway = true;
  await append(inServer.created, server, user, 2001);
  await until(() => !reading.isAtEnd);
  assert.deepEqual(await reading.next(10), []);
  isAway = false;
  await until(() => told.length === 2);
  assert.deepEqual(told, [`left ${server.id}`, `joined ${server.id}`]);
  await append(inServer.created, server, user, 2002);
  await until(() => !reading.isAtEnd);
  assert.deepEqual((await reading.next(10)).map(numberOf), [2002]);
  reading.close();
});

test('a stream that closes during a refresh opens no log and reports no change', async () => {
  const [user] = users;
  const [left, joined] = servers;
  const memberships = [[left.id], [joined.id]];
  const told: string[] = [];
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  const opening: Pick<Feed, 'readers'> = {
    readers: (logs, ...rest) => {
      told.push(...logs.map(({ logId }) => `opened ${logId}`));
      return feed.readers(logs, ...rest);
    },
  };
  const { reading } = await Everywhere.open(
    opening as Feed,
    {
      userId: user.id,
      servers: async () => {
        const found = memberships.shift() ?? [];
        if (memberships.length === 0) {
          asked.resolve();
          await answer.promise;
        }
        return found;
      },
      viewer: async (logId) => viewerOf(user, logId === user.id ? null : logId),
    },
    [],
  );
  assert.deepEqual(told.splice(0), [`opened ${user.id}`, `opened ${left.id}`]);
  reading.tellLeft = (id) => told.push(`left ${id}`);
  reading.tellJoined = (id) => told.push(`joined ${id}`);
  const refreshed = reading.refresh();
  await asked.promise;
  reading.close();
  answer.resolve();
  await refreshed;
  assert.deepEqual(told, []);
});

test("only the user may read a user's log, and it belongs to no server", async () => {
  const [owner, other] = users;
  await append(ofUser.moved, servers[0], owner, 7);
  const own = await feed.reader(owner.id, {}, async () => viewerOf(owner, null));
  const foreign = await feed.reader(owner.id, {}, async () => viewerOf(other, servers[0].id));
  for (const reader of [own, foreign]) await reader.seekOldest();
  const told = await take(own, 1000);
  assert.ok(told.length > 0);
  assert.deepEqual(await take(foreign, 1000), []);
  const { serverId, type, seq } = JSON.parse((told.at(-1) as LoggedEvent).json);
  assert.deepEqual([serverId, type, seq > 0], [null, 'mark.moved', true]);
  own.close();
  foreign.close();
});
