import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { Client } from 'pg';
import { type Db, type Tx, UniqueViolation } from '../../server/src/db/contract.ts';
import { openPostgres } from '../../server/src/db/postgres/index.ts';
import { find, insert, q, remove, update } from '../../server/src/db/statements.ts';
import { appendEvent } from '../../server/src/feed/log.ts';
import { createDeps, newRow } from '../../server/src/lib/deps.ts';
import { type Database, newDatabase } from '../support/databases.ts';

// Writes to one server are serial in the order of its event log, regardless of batches, other servers and nodes. Each
// write logs what it read and wrote; a replay of the log must read the same and end in the same state.

const deps = createDeps();
let database: Database;
let nodes: Db[];

/** One step of a write, which reads or changes a flow in a server; the flow's `description` is the value. */
type Step =
  | { do: 'read'; flow: number }
  | { do: 'count' }
  | { do: 'write'; flow: number }
  | { do: 'add'; flow: number }
  | { do: 'remove'; flow: number }
  | { do: 'tell' }
  | { do: 'fail' };

interface Seen {
  step: Step;
  value: unknown;
}

const FLOWS = 4;
const SERVERS = 3;
const flow = fc.nat({ max: FLOWS - 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('read' as const), flow }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('write' as const), flow }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('add' as const), flow }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), flow }) },
  { weight: 1, arbitrary: fc.constant({ do: 'count' as const }) },
  { weight: 2, arbitrary: fc.constant({ do: 'tell' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'fail' as const }) },
);
/** A write: its steps, its server, and optionally another server whose log it also appends to. */
const plan = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 5 }),
  server: fc.nat({ max: SERVERS - 1 }),
  also: fc.option(fc.nat({ max: SERVERS - 1 }), { freq: 8 }),
});

before(async () => {
  database = await newDatabase('migrated');
  nodes = [
    await openPostgres({ url: database.url, connections: 4 }),
    await openPostgres({ url: database.url, connections: 4 }),
  ];
});

after(async () => {
  await Promise.all(nodes.map((node) => node.close()));
  await database.drop();
});

class Failed extends Error {}

interface Place {
  serverId: string;
  flowIds: string[];
}

/** A user whose log gets events from writes in all servers. */
async function newUser(): Promise<string> {
  const row = newRow(deps);
  const profile = { username: `u${row.id.slice(-12)}`, name: 'serial', image: null, type: 'person' as const };
  const made = { platformAdmin: false, homeServerId: null, creatorId: null };
  await (nodes[0] as Db).write((tx) => tx.run(insert('user', { ...row, ...profile, ...made })));
  return row.id;
}

async function newServer(): Promise<Place> {
  const serverId = deps.newId();
  const flowIds = Array.from({ length: FLOWS }, () => deps.newId());
  await (nodes[0] as Db).write((tx) =>
    tx.run(
      insert('server', {
        ...newRow(deps),
        id: serverId,
        name: 'serial',
        welcome: null,
        description: null,
        icon: null,
        banner: null,
        domain: null,
        private: false,
        tint: null,
        creatorId: serverId,
        memberCount: 0,
      }),
    ),
  );
  return { serverId, flowIds };
}

/** Runs the steps and logs what they read; each write uses its own values. */
async function perform(
  tx: Tx,
  { serverId, flowIds }: Place,
  steps: Step[],
  name: string,
  userId = '',
  alsoIn: string[] = [],
): Promise<void> {
  const seen: Seen[] = [];
  const append = (logId: string, type: string, data: unknown) => {
    const address = { logId, channelId: null, userId: null };
    return appendEvent(tx, { type, ...address, actorId: null, actor: 'system', at: deps.now(), data });
  };
  for (const [index, one] of steps.entries()) {
    const id = 'flow' in one ? (flowIds[one.flow] as string) : '';
    const value = `${name}.${index}`;
    if (one.do === 'read') {
      seen.push({ step: one, value: (await tx.first(find('flow', { id })))?.description ?? null });
    } else if (one.do === 'count') {
      const rows = await tx.all(q.selectFrom('flow').select('id').where('serverId', '=', serverId));
      seen.push({ step: one, value: rows.length });
    } else if (one.do === 'tell') {
      await append(userId, 'told', value);
    } else if (one.do === 'fail') {
      throw new Failed();
    } else {
      if (one.do === 'write') await tx.run(update('flow', id, { description: value }));
      if (one.do === 'remove') await tx.run(remove('flow', { id }));
      if (one.do === 'add') {
        const row = { ...newRow(deps), id, serverId, name: 'flow', description: value, enabled: true };
        const note = { kind: 'note', waitsForEvents: false, trigger: null, steps: [] } as const;
        await tx.run(insert('flow', { ...row, ...note, creatorId: serverId }));
      }
      seen.push({ step: one, value });
    }
  }
  await append(serverId, 'flow.created', seen);
  for (const other of alsoIn) await append(other, 'flow.created', []);
}

/** Replays the writes in the order of the log, and asserts that each read the same. Returns the final values. */
function replay(log: Seen[][]): Map<number, unknown> {
  const values = new Map<number, unknown>();
  for (const [place, seen] of log.entries()) {
    for (const { step: one, value } of seen) {
      const where = `work ${place} of the log, ${JSON.stringify(one)}`;
      if (one.do === 'read') assert.equal(value, values.get(one.flow) ?? null, where);
      if (one.do === 'count') assert.equal(value, values.size, where);
      if (one.do === 'write' && values.has(one.flow)) values.set(one.flow, value);
      if (one.do === 'remove') values.delete(one.flow);
      if (one.do === 'add') {
        assert.ok(!values.has(one.flow), `${where}: the flow already exists`);
        values.set(one.flow, value);
      }
    }
  }
  return values;
}

/** Returns the data of a log's events, after asserting that their numbers have no gaps. */
async function logOf(logId: string): Promise<unknown[]> {
  const events = q.selectFrom('event').select(['seq', 'data']).where('logId', '=', logId).orderBy('seq');
  const rows = await (nodes[0] as Db).read.all(events);
  assert.deepEqual(
    rows.map(({ seq }) => seq),
    rows.map((_, index) => index + 1),
    'the numbers of the log have no gaps',
  );
  return rows.map(({ data }) => JSON.parse(data));
}

test('writes to one server are serial in the order of the log, despite writes to other servers and across nodes', async () => {
  let works = 0;
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(plan, { minLength: 1, maxLength: 60 }), async (plans) => {
      const userId = await newUser();
      const places = await Promise.all(Array.from({ length: SERVERS }, newServer));
      const alsoIn = (server: number, also: number | null): string[] =>
        also === null || also === server ? [] : [(places[also] as Place).serverId];
      const outcomes = await Promise.allSettled(
        plans.map(({ steps, server, also }, index) => {
          const place = places[server] as Place;
          const others = alsoIn(server, also);
          return (nodes[index % 2] as Db).write(
            (tx) => perform(tx, place, steps, `w${index}`, userId, others),
            place.serverId,
            others,
          );
        }),
      );
      for (const outcome of outcomes) {
        if (outcome.status === 'fulfilled') continue;
        const { reason } = outcome;
        assert.ok(reason instanceof Failed || reason.index === 'flow(id)', String(reason));
      }
      const done = plans.filter((_, index) => outcomes[index]?.status === 'fulfilled');
      for (const [number, { serverId, flowIds }] of places.entries()) {
        const log = (await logOf(serverId)) as Seen[][];
        const own = done.filter(
          ({ server, also }) => server === number || alsoIn(server, also).includes(serverId),
        );
        assert.equal(log.length, own.length, 'the log contains exactly the acknowledged writes, once each');
        const values = replay(log);
        const flows = q.selectFrom('flow').select(['id', 'description']).where('serverId', '=', serverId);
        const rows = await (nodes[0] as Db).read.all(flows);
        const found = rows.map(({ id, description }) => [flowIds.indexOf(id), description] as const);
        assert.deepEqual(
          new Map(found.sort()),
          new Map([...values].sort()),
          'the rows equal those of the replay',
        );
      }
      const told = done.flatMap(({ steps }) => steps.filter((one) => one.do === 'tell'));
      assert.equal((await logOf(userId)).length, told.length, "the user's log is complete");
      works += plans.length;
      refused += plans.length - done.length;
    }),
    { numRuns: 60 },
  );
  assert.ok(works > 200 && refused > 20, `${works} writes, ${refused} of them rejected`);
});

test('writes on different rows share a transaction, and a late failure of one does not affect the other writes', async () => {
  const place = await newServer();
  const { serverId } = place;
  const [node] = nodes as [Db];
  const { batches } = node.figures;
  const add = (flow: number) => (tx: Tx) =>
    perform(
      tx,
      place,
      [
        { do: 'read', flow },
        { do: 'add', flow },
      ],
      `w${flow}`,
    );
  await Promise.all([0, 1, 2].map((flow) => node.write(add(flow), serverId)));
  assert.equal(node.figures.batches, batches + 1);
  const outcomes = await Promise.allSettled([3, 0, 1].map((flow) => node.write(add(flow), serverId)));
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'rejected'],
  );
});

test('a refusal in a savepoint does not affect what other writes in the batch read in the meantime', async () => {
  const { serverId } = await newServer();
  const [node] = nodes as [Db];
  const place = { messageId: serverId, serverId, channelId: serverId, userId: serverId, emoji: 'a' };
  const react = (tx: Tx) => tx.run(insert('reaction', { ...newRow(deps), ...place }));
  await node.write(react, serverId);
  const { batches } = node.figures;
  const runs = [0, 0, 0];
  const write = (index: number, work: (tx: Tx) => Promise<unknown>) =>
    node.write((tx) => {
      runs[index] = (runs[index] as number) + 1;
      return work(tx);
    }, serverId);
  const reads = async (tx: Tx) => {
    for (let read = 0; read < 8; read++) await tx.first(find('flow', { id: deps.newId() }));
  };
  const [refusal] = await Promise.all([
    write(0, (tx) => tx.savepoint(() => react(tx)).catch((error) => error)),
    write(1, reads),
    write(2, (tx) => tx.savepoint(() => reads(tx))),
  ]);
  assert.ok(refusal instanceof UniqueViolation);
  assert.deepEqual([runs, node.figures.batches], [[1, 1, 1], batches + 1]);
});

test('a write waits until a row is unlocked, and a read until a table is unlocked', async () => {
  const { serverId } = await newServer();
  const { 0: node } = nodes as [Db];
  const holder = new Client(database.url);
  await holder.connect();
  await holder.query('begin');
  await holder.query('lock table flow in access exclusive mode');
  await holder.query('select 1 from server where id = $1 for update', [serverId]);
  const waiting = Promise.all([
    node.write((tx) => tx.first(find('server', { id: serverId })), serverId),
    node.read.first(find('flow', { serverId })),
  ]);
  waiting.catch(() => {});
  // The lock is held for longer than `lock_timeout`.
  await sleep(3_700);
  await holder.query('commit');
  await holder.end();
  await waiting;
});
