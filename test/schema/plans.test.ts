import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { engine } from '../support/databases.ts';
import { everyOperation } from '../support/everyOperation.ts';
import { fill } from '../support/filled.ts';
import { fillLargeTables } from '../support/largeTables.ts';
import { type Fault, faultsOf, type Prepared, recordStatements } from '../support/plans.ts';
import { Scene } from '../support/scene.ts';
import { World } from '../support/world.ts';

// Explains every statement that the operations and upkeep prepare, over tables with thousands of rows, without table
// statistics and with them.

interface Reviewed {
  of: RegExp;
  faults: readonly Fault[];
  /** The engine, if the other one has a plan without faults. */
  on?: typeof engine;
  /** Why it costs little. */
  why: string;
}

const reviewed: readonly Reviewed[] = [
  {
    of: /\(select id from "platform" order by id desc limit 1\)/,
    faults: [
      ...(['user', 'serverMember', 'message', 'messageVersion', 'notification'] as const).flatMap(
        (table): Fault[] => [`scans ${table}`, `sorts ${table}`],
      ),
    ],
    on: 'sqlite',
    why: 'it reads the last row of each table, by its key, and sorts one row of each',
  },
  {
    of: /^select \* from "user" order by "id" desc limit/,
    faults: ['scans user'],
    on: 'sqlite',
    why: 'it reads a page in the order of the key',
  },
  {
    of: /^select "logId" from "event" where "contentOf" is null and type in/,
    faults: ['scans event'],
    on: 'sqlite',
    why: 'it reads the first entry of a partial index, which has only events that are to be converted',
  },
  {
    of: /from "user" where "platformAdmin" = true and "type" = \S+ and "suspendedAt" is null order by "id" limit 20$/,
    faults: ['scans user'],
    on: 'sqlite',
    why: 'it reads a partial index, which has only platform admins',
  },
  {
    of: /where "nameSkeleton" is null order by "serverMember"."id" limit/,
    faults: ['scans serverMember'],
    on: 'sqlite',
    why: 'it reads a partial index, which has only members that an upgrade left to do',
  },
  {
    of: /from "user" where "nameFolded" is null order by "id" limit/,
    faults: ['scans user'],
    on: 'sqlite',
    why: 'it reads a partial index, which has only names that an upgrade left to do',
  },
  {
    of: /"serverMember"."serverId" = \S+ and "user"."username" in /,
    faults: ['sorts user', 'sorts serverMember'],
    why: 'it sorts the users whom one message mentions',
  },
  {
    of: /"serverMember"."userId" = \S+ and "server"."deletedAt" is null/,
    faults: ['sorts serverMember'],
    why: 'it sorts the servers of one person',
  },
];

let world: World;
let statements: readonly Prepared[];
before(async () => {
  // A node prepares each statement once.
  const recording = recordStatements();
  try {
    world = await World.open({ callUrl: 'https://meet.example.com/{room}' });
    const scene = await Scene.open(world);
    await fillLargeTables(
      world,
      [scene, await Scene.open(world), await Scene.open(world)],
      recording.without,
    );
    await fill(world);
    const refused: string[] = [];
    for (const { name, ready } of await everyOperation(scene, await scene.channel())) {
      const { method = 'GET', path, headers, body } = await ready();
      const { status } = await world.request(method, world.url + path, { headers, body });
      if (status !== 200) refused.push(`${name}: ${status}`);
    }
    assert.deepEqual(refused, []);
    await world.tidy();
  } finally {
    recording.stop();
  }
  statements = recording.statements();
});
after(() => world.close());

test('no statement scans or sorts a table that grows, whatever statistics there are', async () => {
  const used = new Set<Reviewed>();
  const found: string[] = [];
  for (const hasStatistics of [false, true]) {
    for (const { sql, fault } of await faultsOf(world.place, statements, hasStatistics)) {
      const entry = reviewed.find(({ of, faults }) => of.test(sql) && faults.includes(fault));
      if (entry) used.add(entry);
      else found.push(`${hasStatistics ? 'with' : 'without'} statistics, ${fault}: ${sql}`);
    }
  }
  assert.ok(statements.length > 400, `${statements.length} statements`);
  assert.deepEqual(found, []);
  const unused = reviewed.filter((entry) => (entry.on ?? engine) === engine && !used.has(entry));
  assert.deepEqual(unused, [], 'statements that no longer exist, or have no fault any more');
});
