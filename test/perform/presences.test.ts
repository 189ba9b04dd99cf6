// @run sqlite: opens only an embedded database
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { NewLiveEvent } from '../../server/src/feed/logged.ts';
import { type PresenceChange, Presences } from '../../server/src/feed/presences.ts';
import { newDatabase } from '../support/databases.ts';
import { change, createMember, createServer, createUser, find, openData, q } from '../support/sources.ts';

const START_MS = 1_800_000_000_000;
const TICK_MS = 500;
const GRACE_MS = 10_000;
const LEASE_MS = 45_000;
/** The most people in one event. */
const MAX_PEOPLE = 100;

/** Data with a server whose members are Ada and Bob. */
async function openHarbour() {
  const folder = mkdtempSync(join(tmpdir(), 'palaver-presence-'));
  await newDatabase('migrated', folder);
  const data = await openData({ data: folder } as never);
  const user = (username: string) => change(data, (work) => createUser(work, { username }));
  const [ada, bob] = [(await user('ada')).id as string, (await user('bob')).id as string];
  const server = await change(data, (work) => createServer(work, { name: 'Harbour', owner: ada }));
  await change(data, (work) => createMember(work, { server: server.id as string, user: bob }));
  const close = async () => {
    // Waits for writes that are under way.
    await data.db.write(async () => {});
    await data.db.close();
    rmSync(folder, { recursive: true });
  };
  return { data, ada, bob, server, close };
}

/** Nodes on the same data, whose clock the test moves. Ada and Bob are members of one server. */
async function stage(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let now = START_MS;
  t.mock.method(performance, 'now', () => now - START_MS);
  const { data, ada, bob, server, close } = await openHarbour();
  const nodes: Presences[] = [];
  let reads = 0;
  t.after(async () => {
    for (const node of nodes) node.close();
    await close();
  });
  const nameOf = (userId: string) => (userId === ada ? 'ada' : 'bob');
  /** A node with a reader of the server, and the changes that it has sent to this reader and to other nodes. */
  const node = () => {
    const told: string[] = [];
    const others: PresenceChange[] = [];
    const time = () => {
      reads++;
      return now;
    };
    const presences = new Presences(data.db, time, {
      tellOthers: (news) => others.push(news),
      audienceOf: () => 1,
      tell: (news: NewLiveEvent) => {
        const { people } = news.data as { people: { userId: string; status: string }[] };
        told.push(...people.map(({ userId, status }) => `${nameOf(userId)} ${status}`));
      },
    });
    nodes.push(presences);
    return { presences, others, told: () => told.splice(0) };
  };
  /** Lets time pass, in ticks of the nodes. */
  const wait = async (ms: number) => {
    for (const end = now + ms; now < end; ) {
      now += Math.min(TICK_MS, end - now);
      t.mock.timers.tick(TICK_MS);
      for (let times = 0; times < 3; times++) {
        await data.db.write(async () => {});
        for (let turns = 0; turns < 3; turns++) await new Promise(setImmediate);
      }
    }
  };
  const rows = async () =>
    (await data.db.read.all(find('nodePerson', {}))).map(({ userId }) => nameOf(userId));
  const leases = async () =>
    (await data.db.read.all(find('presenceNode', {}))).map(({ aliveUntil }) => aliveUntil - START_MS);
  const run = (query: Parameters<Parameters<Parameters<typeof data.db.write>[0]>[0]['run']>[0]) =>
    data.db.write((tx) => tx.run(query));
  /** Lets time pass, and returns true if a node read anything in the meantime. */
  const isBusyIn = async (ms: number) => {
    const before = reads;
    await wait(ms);
    return reads > before;
  };
  return { data, server, ada, bob, node, wait, isBusyIn, rows, leases, run };
}

test('a person is online from their first stream until ten seconds after their last', async (t) => {
  const { ada, bob, server, node, wait, rows } = await stage(t);
  const { presences, told, others } = node();
  presences.enter(ada);
  presences.enter(ada);
  await wait(TICK_MS);
  assert.deepEqual([told(), await rows()], [['ada online'], ['ada']]);
  assert.deepEqual(
    others.map(({ shown, serverIds }) => [shown.userId, shown.status, serverIds]),
    [[ada, 'online', [server.id]]],
  );
  presences.leave(ada);
  await wait(2 * GRACE_MS);
  assert.deepEqual(told(), [], 'one stream is left');
  presences.leave(ada);
  await wait(GRACE_MS - TICK_MS);
  presences.enter(ada);
  await wait(2 * GRACE_MS);
  assert.deepEqual(told(), [], 'reconnected in time');
  presences.leave(ada);
  await wait(GRACE_MS - 1);
  assert.deepEqual([told(), await rows()], [[], ['ada']]);
  await wait(1);
  assert.deepEqual([told(), await rows()], [['ada offline'], []]);
  presences.enter(bob);
  presences.leave(bob);
  await wait(2 * GRACE_MS);
  assert.deepEqual([told(), await rows()], [[], []], 'gone before it was recorded');
});

test('a person with streams on two nodes stays online when one of them ends', async (t) => {
  const { ada, node, wait } = await stage(t);
  const [one, other] = [node(), node()];
  for (const { presences } of [one, other]) presences.enter(ada);
  await wait(TICK_MS);
  one.told();
  one.presences.leave(ada);
  await wait(GRACE_MS);
  assert.deepEqual(one.told(), ['ada online']);
  other.presences.leave(ada);
  await wait(GRACE_MS);
  assert.deepEqual(other.told().at(-1), 'ada offline');
});

test('a person who connects just as another has left is recorded', async (t) => {
  const { ada, bob, node, wait } = await stage(t);
  const { presences, told } = node();
  presences.enter(bob);
  await wait(TICK_MS);
  presences.leave(bob);
  await wait(GRACE_MS - TICK_MS);
  presences.enter(ada);
  told();
  await wait(TICK_MS);
  assert.deepEqual(told().sort(), ['ada online', 'bob offline']);
});

test('a node without streams works only when somebody changes their presence', async (t) => {
  const { ada, node, wait, isBusyIn } = await stage(t);
  const { presences, told } = node();
  presences.changed(ada);
  await wait(2 * TICK_MS);
  assert.deepEqual(told(), ['ada offline']);
  assert.equal(await isBusyIn(5 * TICK_MS), false);
  presences.enter(ada);
  await wait(TICK_MS);
  assert.equal(await isBusyIn(TICK_MS), true);
  presences.leave(ada);
  await wait(GRACE_MS + TICK_MS);
  assert.equal(await isBusyIn(5 * TICK_MS), false);
});

test('a node renews its lease every 15 seconds while it has streams', async (t) => {
  const { ada, node, wait, leases } = await stage(t);
  const { presences } = node();
  presences.enter(ada);
  await wait(TICK_MS);
  assert.deepEqual(await leases(), [TICK_MS + LEASE_MS]);
  await wait(15_000);
  assert.deepEqual(await leases(), [TICK_MS + LEASE_MS]);
  await wait(TICK_MS);
  assert.deepEqual(await leases(), [2 * TICK_MS + 15_000 + LEASE_MS]);
  presences.leave(ada);
  await wait(GRACE_MS);
  const [last] = await leases();
  await wait(LEASE_MS);
  assert.deepEqual(await leases(), [last]);
});

test('the people of a node that ends are offline once another node notices', async (t) => {
  const { ada, bob, node, wait, rows, leases } = await stage(t);
  const [ending, other] = [node(), node()];
  ending.presences.enter(ada);
  other.presences.enter(bob);
  await wait(TICK_MS);
  other.told();
  ending.presences.close();
  await wait(15_000);
  assert.deepEqual([other.told(), (await rows()).sort()], [[], ['ada', 'bob']]);
  await wait(TICK_MS);
  assert.deepEqual([other.told(), await rows(), (await leases()).length], [['ada offline'], ['bob'], 1]);
  assert.equal(other.others.length, 2, 'published');
});

test('a node whose rows were removed by another records its people again', async (t) => {
  const { ada, bob, node, wait, rows, run } = await stage(t);
  const { presences } = node();
  presences.enter(ada);
  await wait(TICK_MS);
  await run(q.deleteFrom('nodePerson'));
  await run(q.deleteFrom('presenceNode'));
  presences.enter(bob);
  await wait(2 * TICK_MS);
  assert.deepEqual((await rows()).sort(), ['ada', 'bob']);
});

test('connects and disconnects that could not be recorded are recorded later', async (t) => {
  const { data, ada, bob, node, wait, rows } = await stage(t);
  const { presences, told } = node();
  presences.enter(ada);
  await wait(TICK_MS);
  told();
  const write = t.mock.method(data.db, 'write', () => Promise.reject(new Error('the disk is full')));
  const tick = async () => {
    t.mock.timers.tick(TICK_MS);
    for (let turns = 0; turns < 9; turns++) await new Promise(setImmediate);
  };
  presences.enter(bob);
  await tick();
  await tick();
  assert.deepEqual(told(), []);
  write.mock.restore();
  await wait(2 * TICK_MS);
  assert.deepEqual([told(), (await rows()).sort()], [['bob online'], ['ada', 'bob']]);
  presences.leave(bob);
  await wait(GRACE_MS - TICK_MS);
  const again = t.mock.method(data.db, 'write', () => Promise.reject(new Error('the disk is full')));
  await tick();
  again.mock.restore();
  await wait(2 * TICK_MS);
  assert.deepEqual([told(), await rows()], [['bob offline'], ['ada']]);
});

test('an invisible person is only shown as offline, when they become invisible', async (t) => {
  const { ada, bob, node, wait, run } = await stage(t);
  const { presences, told } = node();
  presences.enter(bob);
  await wait(2 * TICK_MS);
  told();
  await run(
    q.insertInto('presence').values({
      id: ada,
      status: 'invisible',
      text: null,
      textUntil: null,
      createdAt: 1,
      updatedAt: 1,
    } as never),
  );
  presences.enter(ada);
  await wait(2 * TICK_MS);
  assert.deepEqual(told(), []);
  presences.changed(ada);
  await wait(2 * TICK_MS);
  assert.deepEqual(told(), ['ada offline']);
  await run(q.updateTable('presence').set({ status: 'idle' }));
  presences.changed(ada);
  await wait(2 * TICK_MS);
  assert.deepEqual(told(), ['ada idle']);
});

test('more than a hundred people in one event are replaced by a request to refetch', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const events: unknown[] = [];
  const presences = new Presences({} as never, () => START_MS, {
    tellOthers() {},
    audienceOf: (serverId) => (serverId === 'nobody' ? 0 : 1),
    tell: ({ data }: NewLiveEvent) => {
      const { serverId, people, isWhole } = data as { serverId: string; people: object[]; isWhole: boolean };
      events.push([serverId, people.length, isWhole]);
    },
  });
  t.after(() => presences.close());
  const heard = (count: number, serverId: string) =>
    presences.hear(
      Array.from({ length: count }, (_, index) => {
        return { shown: { userId: `${index}` }, serverIds: [serverId] } as PresenceChange;
      }),
    );
  heard(MAX_PEOPLE, 'whole');
  heard(MAX_PEOPLE, 'whole');
  heard(MAX_PEOPLE + 1, 'too many');
  heard(1, 'nobody');
  t.mock.timers.tick(TICK_MS);
  for (let turns = 0; turns < 9; turns++) await Promise.resolve();
  assert.deepEqual(events, [
    ['whole', MAX_PEOPLE, true],
    ['too many', 0, false],
  ]);
});
