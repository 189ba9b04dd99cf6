// @run waits: it needs its own process, because others may have prepared statements already
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eraseUser } from '../../server/src/cli/people/erase.ts';
import { placesOfPerson } from '../../server/src/imports/export/personRows.ts';
import { Sight } from '../../server/src/imports/export/sight.ts';
import { FIRST_ID, LAST_ID } from '../../server/src/lib/deps.ts';
import { requireUserFree } from '../../server/src/resources/hold/scope.ts';
import { addMessages } from '../support/crowds.ts';
import { engine } from '../support/databases.ts';
import { everyOperation } from '../support/everyOperation.ts';
import { dataOf } from '../support/expect.ts';
import { fill } from '../support/filled.ts';
import { makeFlow, messages, runsWith } from '../support/flows.ts';
import { copyFlows, fillLargeTables } from '../support/largeTables.ts';
import { type Fault, faultsOf, type Prepared, recordStatements } from '../support/plans.ts';
import { until } from '../support/process.ts';
import { Scene } from '../support/scene.ts';
import { insert, newRow, remove } from '../support/sources.ts';
import { World } from '../support/world.ts';

// Explains every statement that the operations and upkeep prepare, over tables with thousands of rows, without table
// statistics and with them.

interface Reviewed {
  of: RegExp;
  faults: readonly Fault[];
  /** The engine that has the fault, if the other engine's plan has none. */
  on?: typeof engine;
  /** Why the fault costs little. */
  why: string;
  /** Set if the statement depends on what runs in the background, so a run may not have it. */
  isOccasional?: true;
}

const reviewed: readonly Reviewed[] = [
  {
    of: /\(select id from "platform" order by id desc limit 1\)/,
    faults: [
      ...(
        [
          ...['user', 'serverMember', 'message', 'messageVersion', 'notification'],
          ...['flow', 'flowState', 'flowRun', 'flowStep', 'flowWait', 'timer'],
        ] as const
      ).map((table): Fault => `scans ${table}`),
      'walks channel',
    ],
    on: 'sqlite',
    why: 'it reads the last row of each table, by its key',
  },
  {
    of: /^insert into "server" /,
    faults: ['walks channel', 'walks channelMember'],
    on: 'sqlite',
    why: 'the plan has the cascades of a replaced row, which an insert does not run',
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
    of: /from "(flowRun|threadReading|notification)" where "(actorId|userId)" = \S+ and "(id|threadId)" > \S+ order by/,
    faults: ['sorts flowRun', 'sorts threadReading', 'sorts notification'],
    why: 'it sorts the rows about one person, in their export',
  },
  {
    of: /from "message" where "creatorId" = \S+ and "id" > \S+ order by "id" limit/,
    faults: ['sorts message'],
    on: 'postgres',
    why: 'only without statistics: it sorts the messages of one person, in their export',
  },
  {
    of: /limit \$\d+\) as "message" where \("message"."threadId" is null or not exists \(select "sweep"."id"/,
    faults: ['sorts message'],
    on: 'postgres',
    why: 'during a sweep, it sorts the rows of one page',
    isOccasional: true,
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
  {
    of: /^select "id" from "flow" where "triggeredBy" = 'event' and "enabled" = \S+ limit/,
    faults: ['scans flow'],
    on: 'sqlite',
    why: 'it reads some rows of a partial index',
  },
  {
    of: /^select "dueAt" from "timer" order by "dueAt" limit/,
    faults: ['scans timer'],
    on: 'sqlite',
    why: 'it reads the first entry of an index',
  },
  {
    of: /^select "depth" from "flowRun" .* and "endedAt" is null union all/,
    faults: ['sorts flowRun', 'sorts flow'],
    why: 'it sorts the runs of one flow that have not ended, or ended within a second',
  },
  {
    of: /^select .* from "flowStep" where "runId" = \S+ order by "id"$/,
    faults: ['sorts flowStep'],
    why: 'it sorts the steps of one run, at most 200',
  },
  {
    of: /from "flowWait" where "type" is not null and "eventId" is null and "flowId" = \S+ and "type" = \S+ and "id" > /,
    faults: ['sorts flowWait'],
    why: 'it sorts the waiting runs of one flow, of which a server has 1,000 by default',
  },
];

/** Runs flows that start with events and messages, wait, ask and fail. */
async function runFlows(scene: Scene): Promise<void> {
  const { id: channelId } = await scene.channel();
  const send = (content: string) => ({ do: 'message.send', channelId, content });
  const event = { type: 'message.created', where: { path: 'event.data.content', equals: 'go on' } };
  const flow = await makeFlow(scene, messages(channelId), [
    { name: 'first', ...send('pong') },
    { name: 'wait', do: 'wait', event },
    { name: 'pause', do: 'wait', seconds: 1 },
    {
      name: 'question',
      do: 'ask',
      channelId,
      content: 'Go on?',
      buttons: [{ id: 'yes', text: 'Yes' }],
      seconds: 1,
    },
    { name: 'last', do: 'pin.add', messageId: 'none' },
  ]);
  dataOf(await scene.admin.post('/messages', { channelId, content: 'ping' }));
  await runsWith(scene, flow.id, 'waiting');
  dataOf(await scene.admin.post('/messages', { channelId, content: 'go on' }));
  await runsWith(scene, flow.id, 'failed');
}

/**
 * Exports and erases a person who wrote something in a server that they left. At first, a hold prevents the erasure.
 */
async function leave(scene: Scene): Promise<void> {
  const { world, server, owner } = scene;
  const { data } = world;
  const user = await world.user({ username: 'leaving' });
  const channel = await scene.channel();
  await addMessages(world, channel, owner.id, 400);
  await addMessages(world, channel, user.id, 1);
  await Array.fromAsync(
    placesOfPerson(data.db.read, {
      userId: user.id,
      sight: new Sight(data.db.read, user.id),
      until: LAST_ID,
      from: FIRST_ID,
    }),
  );
  const row = { ...newRow(data.deps), serverId: server.id, creatorId: user.id, reason: 'Case' };
  const open = { userId: null, channelId: null, endedAt: null, releasedAt: null, until: null };
  await data.db.write((tx) => tx.run(insert('hold', { ...row, ...open })));
  await assert.rejects(requireUserFree(data.db.read, user.id, Date.now()));
  await data.db.write((tx) => tx.run(remove('hold', { id: row.id })));
  await eraseUser(data, { username: 'leaving', messages: 'delete' });
}

let world: World;
let statements: readonly Prepared[];
before(async () => {
  // A node prepares each statement once.
  const recording = recordStatements();
  try {
    world = await World.open({ callUrl: 'https://meet.example.com/{room}', timers: true });
    const scene = await Scene.open(world);
    // The clock prepares its statements once, so it must not do so while statements are not recorded.
    await until(() =>
      recording.statements().some(({ sql }) => sql.startsWith('select "dueAt" from "timer" order')),
    );
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
    await runFlows(scene);
    await leave(scene);
    await world.tidy();
  } finally {
    recording.stop();
  }
  await copyFlows(world);
  statements = recording.statements();
});
after(() => world.close());

test("no statement scans or sorts a growing table, or reads a server's direct messages, regardless of statistics", async () => {
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
  const unused = reviewed.filter(
    (entry) => (entry.on ?? engine) === engine && !entry.isOccasional && !used.has(entry),
  );
  assert.deepEqual(unused, [], 'statements that no longer exist or no longer have the fault');
});
