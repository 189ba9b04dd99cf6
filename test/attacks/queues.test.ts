import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import pino from 'pino';
import { Clock } from '../../server/src/clock/clock.ts';
import type { Db } from '../../server/src/db/contract.ts';
import { mark } from '../../server/src/db/sweep.ts';
import { pathIn } from '../../server/src/files/folder.ts';
import { tidy } from '../../server/src/removal/index.ts';
import { Browser } from '../support/account.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { until } from '../support/process.ts';
import { Receiver } from '../support/receiver.ts';
import { Scene } from '../support/scene.ts';
import { find, insert, q, remove, update } from '../support/sources.ts';
import { type Json, TestClock, World } from '../support/world.ts';
import { poisoned } from '../support/wrapped.ts';

const HOUR_MS = 60 * 60_000;

const clock = new TestClock();
const lines: Json[] = [];
const logger = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) });
let world: World;
before(async () => {
  world = await World.open({ clock, logger, privateWebhooks: true, webhooks: {} });
});
after(() => world.close());

const { log } = { log: logger };
const upkeep = (db: Db = world.data.db) => tidy({ ...world.data, db, feed: world.feed, eventDays: 30, log });
const userOf = (id: string) => world.data.db.read.first(find('user', { id }));
const linesOf = (item: string) => lines.filter((line) => line.item === item || line.webhookId === item);

/** The number of failing items, according to the metric. */
async function failing(queue: string): Promise<number> {
  // Metrics are refreshed once a second.
  const text = await (await fetch(`${world.url}/metrics`)).text();
  const line = text.match(new RegExp(`^palaver_queue_failing\\{queue="${queue}"\\} (\\d+)$`, 'm'));
  assert.ok(line, text);
  return Number(line[1]);
}

async function close(user: Json): Promise<void> {
  const browser = await Browser.claimed(world, user);
  dataOf(await browser.post('/close', { username: user.username, messages: 'delete' }));
}

/** Runs upkeep once per account to erase. */
async function rounds(count: number, db?: Db): Promise<void> {
  for (let round = 0; round < count; round++) await upkeep(db);
}

test('a taken name blocks neither the erasure of its account nor that of other accounts', async () => {
  const victim = await world.user({ username: 'victim', name: 'Real Name Of Victim' });
  const taken = `deleted-${victim.id.slice(-12)}`;
  // New accounts cannot choose such a name, but older ones may have it.
  const holder = await world.user();
  await world.data.db.write((tx) => tx.run(update('user', holder.id, { username: taken })));
  const other = await world.user({ name: 'Another' });
  await close(victim);
  await close(other);
  await rounds(2);
  const erased = await userOf(victim.id);
  assert.equal(erased?.name, 'Deleted user');
  assert.match(erased?.username ?? '', /^deleted-[0-9a-f]{12}$/);
  assert.notEqual(erased?.username, taken);
  assert.equal((await userOf(other.id))?.name, 'Deleted user');
  const admin = await Browser.claimed(world, await world.user({ platformAdmin: true }));
  assertRefused(await admin.post(`/platform/users/${victim.id}/lift`, {}), 'INVALID_REQUEST', 'erased', 'id');
});

test('an account whose erasure fails backs off, and the others are erased', async () => {
  const users = [await world.user(), await world.user(), await world.user()];
  for (const user of users) await close(user);
  const [first, ...others] = users.toSorted((one, other) => (one.id < other.id ? -1 : 1)) as [
    Json,
    Json,
    Json,
  ];
  const bad = poisoned(world.data.db, new Set([first.id]));
  await rounds(3, bad);
  for (const { id } of others) assert.equal((await userOf(id))?.name, 'Deleted user');
  assert.notEqual((await userOf(first.id))?.name, 'Deleted user');
  assert.equal(await failing('erasure'), 1);
  const tries = async () =>
    (await world.data.db.read.first(find('failure', { item: `erasure:${first.id}` })))?.attempts;
  assert.equal(await tries(), 1, 'it backs off');
  for (let hour = 0; hour < 3; hour++) {
    clock.advance(HOUR_MS);
    await upkeep(bad);
  }
  assert.equal(await tries(), 4);
  assert.equal(linesOf(first.id).length, 1, 'one line, however often it fails');
  const admin = await Browser.claimed(world, await world.user({ platformAdmin: true }));
  assert.equal(dataOf(await admin.get('/platform/health')).failing.erasure, 1);
  clock.advance(HOUR_MS);
  await upkeep();
  assert.equal((await userOf(first.id))?.name, 'Deleted user');
  assert.equal(await tries(), undefined);
  assert.deepEqual(
    linesOf(first.id).map(({ level }) => level),
    [40, 30],
    'and one line once it succeeds',
  );
});

test('a closed account cannot be added to a server', async () => {
  const scene = await Scene.open(world);
  const user = await world.user();
  await close(user);
  const add = () => scene.admin.post('/server-members', { userId: user.id });
  assertRefused(await add(), 'INVALID_REQUEST', 'closed', 'userId');
  await rounds(2);
  assert.equal((await userOf(user.id))?.name, 'Deleted user');
  assertRefused(await add(), 'INVALID_REQUEST', 'erased', 'userId');
  const { db } = world.data;
  assert.deepEqual(await db.read.all(find('serverMember', { userId: user.id })), []);
});

test('a file that cannot be removed does not block the others', async () => {
  const { db, deps, files } = world.data;
  const ids = Array.from({ length: 12 }, () => deps.newId());
  const paths = ids.map((id) => pathIn(files.folder as string, id));
  for (const [index, path] of paths.entries()) {
    mkdirSync(dirname(path), { recursive: true });
    // A folder is not a file, so it cannot be removed like one.
    if (index < 2) mkdirSync(join(path, 'inside'), { recursive: true });
    else writeFileSync(path, 'bytes');
    await db.write((tx) => tx.run(insert('fileRemoval', { id: ids[index] as string, dueAt: index })));
  }
  await upkeep();
  assert.deepEqual(
    paths.map(existsSync),
    ids.map((_, index) => index < 2),
  );
  const left = await db.read.all(q.selectFrom('fileRemoval').select('id').where('id', 'in', ids));
  assert.equal(left.length, 2);
  await upkeep();
  for (const id of ids.slice(0, 2)) assert.equal(linesOf(id).length, 1);
});

test('twenty failing sweeps do not block the next one', async () => {
  const { db, deps } = world.data;
  const scene = await Scene.open(world);
  const marks = Array.from({ length: 24 }, () => deps.newId());
  for (const id of marks) {
    const deleted = {
      noun: 'role',
      id,
      serverId: scene.server.id,
      channelId: null,
      actorId: null,
      actor: 'operator',
    } as const;
    await db.write((tx) => mark(tx, deleted));
  }
  const bad = poisoned(db, new Set(marks.slice(0, 20)));
  await upkeep(bad);
  const left = (await db.read.all(q.selectFrom('sweep').select('id').where('id', 'in', marks))).map(
    ({ id }) => id,
  );
  assert.deepEqual(left.toSorted(), marks.slice(0, 20).toSorted());
  clock.advance(HOUR_MS);
  await upkeep();
  assert.deepEqual(await db.read.all(q.selectFrom('sweep').select('id').where('id', 'in', marks)), []);
  assert.deepEqual(
    linesOf(marks[0] as string).map(({ level }) => level),
    [40, 30],
  );
});

test('a failing upkeep step does not block the others', async () => {
  const { db } = world.data;
  const row = { scope: 'expired', requestDigest: '', answer: '', createdAt: 1 };
  await db.write((tx) => tx.run(insert('idempotency', row)));
  const user = await world.user();
  await close(user);
  const broken = new Proxy(db, {
    get(target, name) {
      const value = Reflect.get(target, name, target);
      if (name !== 'write') return typeof value === 'function' ? value.bind(target) : value;
      return (work: (tx: unknown) => unknown, ...rest: unknown[]) => {
        if (/\.count\(old\)/.test(String(work))) throw new Error('retention is broken');
        return value.call(target, work, ...rest);
      };
    },
  });
  clock.advance(HOUR_MS);
  await upkeep(broken);
  assert.equal((await userOf(user.id))?.name, 'Deleted user');
  assert.equal(linesOf('idempotency').length, 1);
  await upkeep(broken);
  assert.equal(linesOf('idempotency').length, 1);
  clock.advance(HOUR_MS);
  await upkeep();
  assert.equal(await db.read.first(find('idempotency', { scope: 'expired' })), undefined);
});

test('failing timers do not block other timers, in the same server or in others', async () => {
  const { db, deps } = world.data;
  const timers = (serverId: string, count: number, dueAt: number) =>
    Array.from({ length: count }, () => ({
      ...{ id: deps.newId(), createdAt: 1, updatedAt: 1, kind: 'reminder' as const },
      ...{ serverId, dueAt, attempts: 0 },
    }));
  const owner = await world.user();
  const servers: string[] = [];
  for (let count = 0; count < 12; count++) servers.push((await world.server(owner)).id);
  const other = servers.pop() as string;
  const poison = servers.flatMap((serverId) => timers(serverId, 25, 1));
  const good = [...timers(servers[0] as string, 1, 2), ...timers(other, 1, 2)];
  await db.write(async (tx) => {
    for (const row of [...poison, ...good]) await tx.run(insert('timer', row));
  });
  const bad = new Set(poison.map(({ id }) => id));
  const done: string[] = [];
  const run = async ({ id }: { id: string }) => {
    if (bad.has(id)) throw new Error('poisoned');
    done.push(id);
    await db.write((tx) => tx.run(remove('timer', { id })));
  };
  const timed = new Clock({ db, deps, run }, logger);
  await timed.look();
  assert.deepEqual(done.toSorted(), good.map(({ id }) => id).toSorted());
  await until(async () => (await failing('clock')) === poison.length);
  const first = poison[0] as { id: string };
  clock.advance(HOUR_MS);
  await timed.look();
  assert.equal(linesOf(first.id).length, 1, 'one line, however often it fails');
  bad.clear();
  clock.advance(HOUR_MS);
  await timed.look();
  await timed.stop();
  assert.equal(done.length, good.length + poison.length);
  assert.equal(await db.read.first(find('failure', { queue: 'clock' })), undefined);
  assert.equal(linesOf(first.id).length, 2, 'and one line once it succeeds');
});

test('a webhook whose secret cannot be decrypted backs off, and the others get their events', async (t) => {
  const { db } = world.data;
  const receiver = await Receiver.open();
  t.after(() => receiver.close());
  const scene = await Scene.open(world);
  const [bad] = [
    await scene.webhook({ url: `${receiver.url}/bad` }),
    await scene.webhook({ url: `${receiver.url}/good` }),
  ];
  const stateOf = () => db.read.first(find('webhookState', { id: bad.id }));
  const state = async () => (await stateOf())?.nextAt ?? null;
  const receivers = ({ id }: Json) =>
    receiver.deliveries
      .filter(({ event }) => event.type === 'message.created' && event.data.id === id)
      .map(({ path }) => path);
  // No process may have the webhook's secret in memory: the lease of an idle webhook is released after five seconds.
  const first = await scene.message();
  await until(() => receivers(first).length === 2);
  await until(async () => (await stateOf())?.owner === null);
  await db.write((tx) =>
    tx.run(update('webhook', bad.id, { sealed: 'nonsense', updatedAt: clock.now() + 10 })),
  );
  const last = await scene.message();
  await world.node.webhooks?.poll();
  await until(() => receivers(last).length > 0);
  await until(async () => (await state()) !== null);
  assert.ok(((await state()) as number) > clock.now());
  for (let round = 0; round < 3; round++) {
    clock.advance(HOUR_MS);
    await world.node.webhooks?.poll();
    await until(async () => ((await state()) ?? 0) > clock.now());
  }
  assert.equal(linesOf(bad.id).length, 1);
  assert.deepEqual([...new Set(receivers(last))], ['/good']);
});
