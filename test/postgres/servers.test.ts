// @run waits: waits most of its time
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import { type Db, StorageError, type Tx } from '../../server/src/db/contract.ts';
import { openPostgres } from '../../server/src/db/postgres/index.ts';
import { find, insert, q } from '../../server/src/db/statements.ts';
import { appendEvent } from '../../server/src/feed/log.ts';
import { createDeps, newRow } from '../../server/src/lib/deps.ts';
import { type Database, newDatabase } from '../support/databases.ts';
import { type Distance, startDistance } from '../support/distance.ts';

/** The number of servers. One node commits writes to all servers together. */
const SERVERS = 20;
const MESSAGES = 60;
/** Maximum number of attempts to get one that is not delayed, for example by the engine's own polls. */
const MAX_ATTEMPTS = 20;
/** The statements of a batch: begin, locks, version, channels, messages, events, commit. */
const BATCH_STATEMENTS = 7;
const BATCH_TRIPS = 2;

interface Place {
  serverId: string;
  channelId: string;
}

const deps = createDeps();
let database: Database;
let distance: Distance;
let db: Db;
let places: Place[];

before(async () => {
  database = await newDatabase('migrated');
  distance = await startDistance(database.url);
  db = await openPostgres({ url: distance.url, connections: 6 });
  places = await Promise.all(Array.from({ length: SERVERS }, newServer));
});

after(async () => {
  await db.close();
  distance.close();
  await database.drop();
});

async function newServer(): Promise<Place> {
  const server = {
    ...newRow(deps),
    name: 'busy',
    welcome: null,
    description: null,
    icon: null,
    banner: null,
  };
  const serverId = server.id;
  const more = { domain: null, private: false, tint: null, creatorId: serverId, memberCount: 0 };
  const channel = { ...newRow(deps), serverId, name: 'general', nameKey: 'general', description: null };
  const place = { position: 0, private: false, readonly: false, roleIds: [], creatorId: serverId };
  await db.write(async (tx) => {
    await tx.run(insert('server', { ...server, ...more }));
    await tx.run(insert('channel', { ...channel, ...place }));
  });
  return { serverId, channelId: channel.id };
}

/** Sends a message as the operation does: looks up its channel, inserts it, appends its event. */
async function send(tx: Tx, { channelId }: Place): Promise<string> {
  const channel = await tx.first(find('channel', { id: channelId }));
  assert.equal(channel?.id, channelId, 'it got the row of its own channel');
  const { serverId } = channel;
  const row = {
    ...newRow(deps, tx.time()),
    serverId,
    type: 'person' as const,
    channelId,
    isThreadReply: false,
  };
  const unmarked = { deleted: false, editedAt: null, pinned: false, reactions: [] };
  const more = { creatorId: serverId, content: 'hello', threadId: null, replyToId: null };
  await tx.run(insert('message', { ...row, ...unmarked, ...more }));
  const address = { logId: serverId, channelId, userId: null };
  await appendEvent(tx, {
    type: 'pin.created',
    ...address,
    actorId: null,
    actor: 'system',
    at: deps.now(),
    data: row.id,
  });
  return row.id;
}

const sendIn = (place: Place): Promise<string> => db.write((tx) => send(tx, place), place.serverId);
const at = (number: number): Place => places[number % SERVERS] as Place;

/** Returns the ids of the messages in a server's log, after asserting that its numbers have no gaps. */
async function logged({ serverId }: Place): Promise<string[]> {
  const rows = await db.read.all(
    q.selectFrom('event').select(['seq', 'data']).where('logId', '=', serverId).orderBy('seq'),
  );
  assert.deepEqual(
    rows.map(({ seq }) => seq),
    rows.map((_, index) => index + 1),
  );
  return rows.map(({ data }) => JSON.parse(data));
}

/** Locks the row of a server, as another node's transaction does, until the callback has ended. */
const whileLocked = ({ serverId }: Place, task: () => Promise<void>): Promise<void> =>
  whileRowLocked('server', serverId, task);

async function whileRowLocked(
  table: 'server' | 'user',
  id: string,
  task: () => Promise<void>,
): Promise<void> {
  const other = new Client({ connectionString: database.url });
  await other.connect();
  try {
    await other.query('begin');
    await other.query(`select 1 from "${table}" where id = $1 for no key update`, [id]);
    await task();
  } finally {
    await other.end();
  }
}

test(`${MESSAGES} messages to ${SERVERS} servers are one transaction of ${BATCH_STATEMENTS} statements and ${BATCH_TRIPS} round trips`, async () => {
  let statements = Number.POSITIVE_INFINITY;
  let packets = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const { batches, works } = db.figures;
    const sent = { statements: distance.statements, packets: distance.packets };
    const ids = await Promise.all(Array.from({ length: MESSAGES }, (_, number) => sendIn(at(number))));
    statements = Math.min(statements, distance.statements - sent.statements);
    packets = Math.min(packets, distance.packets - sent.packets);
    assert.equal(db.figures.batches - batches, 1);
    assert.equal(db.figures.works - works, MESSAGES);
    for (const [number, place] of places.entries()) {
      const own = ids.filter((_, index) => index % SERVERS === number);
      assert.deepEqual(
        (await logged(place)).slice(-own.length),
        own,
        'its events are in the order of the calls',
      );
    }
    if (statements === BATCH_STATEMENTS && packets === BATCH_TRIPS) break;
  }
  assert.equal(statements, BATCH_STATEMENTS);
  assert.equal(packets, BATCH_TRIPS);
});

test('a server that is locked elsewhere does not delay others', async () => {
  const [locked, contended, ...others] = places as [Place, Place, ...Place[]];
  let isDone = false;
  let waiting: Promise<unknown> = Promise.resolve();
  await whileLocked(locked, async () => {
    waiting = sendIn(locked).then(() => {
      isDone = true;
    });
    // Another server is contended: it was locked once, and shares its transactions with the locked server.
    await whileLocked(contended, async () => {
      const first = sendIn(contended);
      await Promise.all(others.map(sendIn));
      await Promise.all(others.map(sendIn));
      void first;
    });
    for (let round = 0; round < 5; round++) await Promise.all([contended, ...others].map(sendIn));
    assert.equal(isDone, false, 'the lock was held all the time');
  });
  await waiting;
  assert.equal(new Set(await logged(locked)).size, (await logged(locked)).length);
});

test('a write to a server that stays locked times out, and the next one succeeds', async () => {
  const [locked] = places as [Place];
  const before = await logged(locked);
  await whileLocked(locked, async () => {
    await assert.rejects(sendIn(locked), (error: Error) => {
      assert.ok(error instanceof StorageError, String(error));
      assert.match(error.message, /too long for a lock/);
      return true;
    });
  });
  const id = await sendIn(locked);
  assert.deepEqual(await logged(locked), [...before, id]);
});

test('a write that fails, or reads after a change, does not affect the others in its batch', async () => {
  // Skips the servers from the tests above, which may still count as contended.
  const [, , failing, throwing, asking, ...others] = places as [
    Place,
    Place,
    Place,
    Place,
    Place,
    ...Place[],
  ];
  const asked = [failing, throwing, asking, ...others];
  const before = await Promise.all(asked.map(async (place) => (await logged(place)).length));
  const { batches } = db.figures;
  const channel = (await db.read.first(find('channel', { id: failing.channelId }))) as object;
  const twice = async (tx: Tx) => {
    await send(tx, failing);
    await tx.run(insert('channel', channel as never));
  };
  const thrown = new Error('thrown');
  const results = await Promise.allSettled([
    db.write(twice, failing.serverId),
    sendIn(failing),
    db.write(async (tx) => {
      await send(tx, throwing);
      throw thrown;
    }, throwing.serverId),
    sendIn(throwing),
    db.write(async (tx) => {
      const id = await send(tx, asking);
      assert.equal((await tx.first(find('message', { id })))?.id, id, 'it reads its own change');
    }, asking.serverId),
    ...others.map(sendIn),
  ]);
  const [broken, , ended] = results;
  assert.match(String((broken as PromiseRejectedResult).reason), /channel\(/);
  assert.equal((ended as PromiseRejectedResult).reason, thrown);
  assert.equal(results.filter(({ status }) => status === 'rejected').length, 2);
  const now = await Promise.all(asked.map(async (place) => (await logged(place)).length));
  assert.deepEqual(
    now,
    before.map((length) => length + 1),
  );
  // The failed transaction is not counted. All but the two that need their own transactions share the next one.
  assert.ok(db.figures.batches - batches <= 3, `${db.figures.batches - batches} transactions`);
});

async function newUser(): Promise<string> {
  const { id, ...row } = newRow(deps);
  const profile = { username: `u${id.slice(-12)}`, name: 'busy', image: null, type: 'person' as const };
  const made = { platformAdmin: false, homeServerId: null, creatorId: null };
  await db.write((tx) => tx.run(insert('user', { id, ...row, ...profile, ...made })));
  return id;
}

const tell = (tx: Tx, userId: string): Promise<void> => {
  const address = { logId: userId, channelId: null, userId };
  return appendEvent(tx, {
    type: 'told',
    ...address,
    actorId: null,
    actor: 'system',
    at: deps.now(),
    data: 1,
  });
};

test("a write that waits for a user's log does not delay the others in its batch", async () => {
  const userId = await newUser();
  const [telling, ...others] = places.slice(8) as [Place, ...Place[]];
  const { batches } = db.figures;
  let told: Promise<unknown> = Promise.resolve();
  await whileRowLocked('user', userId, async () => {
    told = db.write((tx) => tell(tx, userId), telling.serverId);
    await Promise.all(others.map(sendIn));
    assert.equal(db.figures.batches - batches, 1, 'the others share a transaction');
  });
  await told;
});

test("a write that times out waiting for a user's log is rejected, but other writes to its server are not", async () => {
  const userId = await newUser();
  const [place, other] = places.slice(8) as [Place, Place];
  await whileRowLocked('user', userId, async () => {
    // Both writes also append to the log of another server, so they share a transaction for their own server.
    const [told, sent] = await Promise.allSettled([
      db.write((tx) => tell(tx, userId), place.serverId, [other.serverId]),
      db.write((tx) => send(tx, place), place.serverId, [other.serverId]),
    ]);
    assert.match(String((told as PromiseRejectedResult).reason), /too long for a lock/);
    assert.equal(sent.status, 'fulfilled');
  });
});
