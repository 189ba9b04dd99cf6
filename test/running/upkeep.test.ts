import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pino from 'pino';
import { find, insert, q } from '../../server/src/db/statements.ts';
import { startUpkeep } from '../../server/src/removal/index.ts';
import { until } from '../support/process.ts';
import { World } from '../support/world.ts';
import { gated } from '../support/wrapped.ts';

const periods = { look: 200, round: 500, lease: 4_000 };
/** The longest time until another process takes over on a busy machine. */
const TAKEN_OVER_MS = 30_000;

/** A process that does upkeep on shared data, and that can be frozen. */
class Upkeeper {
  /** The number of times that the process has become the upkeep leader. */
  begun = 0;
  #thawed = Promise.withResolvers<void>();
  #isFrozen = false;
  readonly stop: () => Promise<void>;

  constructor(world: World) {
    const gate = () => (this.#isFrozen ? this.#thawed.promise : undefined);
    // On the embedded database, a process that is frozen within a write blocks the writes of all others.
    const db = gated(world.data.db, gate, { inWrites: false });
    const lines = {
      write: (line: string) => {
        if (line.includes('leader for upkeep')) this.begun++;
      },
    };
    this.stop = startUpkeep({ ...world.data, db, feed: world.feed, eventDays: 30 }, pino({}, lines), periods);
  }

  freeze(): void {
    this.#isFrozen = true;
  }

  thaw(): void {
    this.#isFrozen = false;
    this.#thawed.resolve();
  }
}

const worlds: World[] = [];
let first: World;
let upkeepers: Upkeeper[];

before(async () => {
  first = await World.open();
  worlds.push(first, await World.open({ place: first.place }), await World.open({ place: first.place }));
  upkeepers = worlds.map((world) => new Upkeeper(world));
});
after(async () => {
  for (const upkeeper of upkeepers) upkeeper.thaw();
  await Promise.all(upkeepers.map((upkeeper) => upkeeper.stop()));
  for (const world of worlds.reverse()) await world.close();
});

const lease = () => first.data.db.read.first(find('lease', { name: 'upkeep' }));
const active = () => upkeepers.filter(({ begun }) => begun > 0);
const kept = async () => (await first.data.db.read.all(q.selectFrom('idempotency').select('scope'))).length;

/** Adds a row that has expired, and waits until it is gone. */
async function untilForgotten(scope: string): Promise<void> {
  const row = { scope, requestDigest: '', answer: '', createdAt: 1 };
  await first.data.db.write((tx) => tx.run(insert('idempotency', row)));
  await until(async () => (await kept()) === 0, TAKEN_OVER_MS);
}

test('one of three nodes removes expired rows', async () => {
  await until(async () => active().length > 0, TAKEN_OVER_MS);
  const owner = (await lease())?.owner;
  for (let round = 0; round < 3; round++) await untilForgotten(`round ${round}`);
  assert.equal(active().length, 1);
  assert.equal((await lease())?.owner, owner);
});

test('another node takes over immediately when the first one stops', async () => {
  const [stopped] = active() as [Upkeeper];
  const owner = (await lease())?.owner;
  await stopped.stop();
  upkeepers = upkeepers.filter((upkeeper) => upkeeper !== stopped);
  await until(async () => active().length > 0, TAKEN_OVER_MS);
  assert.notEqual((await lease())?.owner, owner);
  await untilForgotten('stopped');
  assert.equal(active().length, 1);
});

test("another node takes over when a frozen node's lease has expired, and keeps the lease when that node continues", async () => {
  const [frozen] = active() as [Upkeeper];
  frozen.freeze();
  await until(async () => active().length === 2, TAKEN_OVER_MS);
  await untilForgotten('frozen');
  const owner = (await lease())?.owner;
  frozen.thaw();
  for (let round = 0; round < 3; round++) await untilForgotten(`thawed ${round}`);
  assert.equal((await lease())?.owner, owner);
  assert.equal(frozen.begun, 1, 'it has not started another round');
});
