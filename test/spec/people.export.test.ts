import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser } from '../support/account.ts';
import { until } from '../support/process.ts';
import { type Json, TestClock, World } from '../support/world.ts';

// Tests the limits on data exports. An export reads large tables in many turns.

const EXPORTS = 5;
const clock = new TestClock();
let world: World;
before(async () => {
  world = await World.open({
    clock,
    limits: { '*': 0, export: EXPORTS },
    bounds: { exports: 2, exportsPerUser: 1 },
  });
});
after(() => world.close());

const person = async (): Promise<Browser> => Browser.claimed(world, await world.user());

const copy = ({ cookie }: Browser, signal?: AbortSignal): Promise<Response> =>
  fetch(`${world.url}/api/people/export`, { headers: { 'palaver-server': 'none', cookie }, signal });

async function refusalOf(answer: Response): Promise<[number, string, string | null]> {
  const { error } = (await answer.json()) as Json;
  return [answer.status, error.message, answer.headers.get('retry-after')];
}

/** Blocks all read turns after the first `free`, until `open` is called. */
function heldTurns(free: number): { taken: () => number; open: () => void; back: () => void } {
  const { read } = world.data.db;
  const turn = read.inTurn.bind(read);
  const gate = Promise.withResolvers<void>();
  let taken = 0;
  read.inTurn = async (task) => {
    if (++taken > free) await gate.promise;
    return turn(task);
  };
  return {
    taken: () => taken,
    open: gate.resolve,
    back() {
      gate.resolve();
      read.inTurn = turn;
    },
  };
}

const underWay = async (): Promise<string | undefined> =>
  /^palaver_exports_open (\d+)$/m.exec(await (await fetch(`${world.url}/metrics`)).text())?.[1];

test('concurrent exports are limited per person and per node, and an aborted export stops reading', async (t) => {
  const [ada, bob, eve] = [await person(), await person(), await person()];
  // By this turn, the export has read the account tables and reads tables without rows of this person.
  const begun = 14;
  const turns = heldTurns(begun);
  t.after(turns.back);
  const leaving = new AbortController();
  const first = await copy(ada, leaving.signal);
  assert.equal(first.status, 200);
  await until(() => turns.taken() > begun);
  assert.deepEqual(await refusalOf(await copy(ada)), [
    429,
    'exportsPerUser: 1 exports of your data are in progress: try again in 5 s',
    '5',
  ]);
  const second = copy(bob);
  await until(async () => (await underWay()) === '2');
  const [status, message] = await refusalOf(await copy(eve));
  assert.deepEqual([status, message.split(':')[0]], [429, 'exports']);

  leaving.abort();
  await assert.rejects(first.text());
  turns.open();
  assert.match(await (await second).text(), /^\{"table":"user"/);
  await until(async () => (await underWay()) === '0');
  const others = turns.taken();
  const whole = await copy(eve);
  await whole.text();
  const ofOne = turns.taken() - others;
  // The aborted export takes no turn after its current one. The node itself takes a few turns.
  assert.ok(others < ofOne + begun + 5, `${others} turns for both, ${ofOne} for a complete export`);
});

test('a person can export their data a few times per minute', async () => {
  const ada = await person();
  for (let count = 0; count < EXPORTS; count++) {
    const answer = await copy(ada);
    assert.equal(answer.headers.get('ratelimit-policy'), `"export";q=${EXPORTS};w=60`);
    await answer.text();
    // The server may finish, and free the slot, only after the client has the whole response.
    await until(async () => (await underWay()) === '0');
  }
  assert.equal((await copy(ada)).status, 429);
  clock.advance(60_000);
  assert.match(await (await copy(ada)).text(), /^\{"table":"user"/);
});
