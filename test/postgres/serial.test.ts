import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import type { Db, Tx } from '../../server/src/db/contract.ts';
import { openPostgres } from '../../server/src/db/postgres/index.ts';
import { find, insert, q, remove, update } from '../../server/src/db/statements.ts';
import { appendEvent } from '../../server/src/feed/log.ts';
import { createDeps, newRow } from '../../server/src/lib/deps.ts';
import { type Database, newDatabase } from '../support/databases.ts';

/**
 * Writes on one server take effect one after the other, in the order of the event log, in any batches and at any node.
 * Each write logs what it read and wrote; a model that replays the log must read the same.
 */
const deps = createDeps();
let database: Database;
let nodes: Db[];

/** One step of a write on one of a server's flows; the flow's `description` is the value. */
type Step =
  | { do: 'read'; flow: number }
  | { do: 'count' }
  | { do: 'write'; flow: number }
  | { do: 'add'; flow: number }
  | { do: 'remove'; flow: number }
  | { do: 'fail' };

interface Seen {
  step: Step;
  value: unknown;
}

const FLOWS = 4;
const flow = fc.nat({ max: FLOWS - 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('read' as const), flow }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('write' as const), flow }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('add' as const), flow }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), flow }) },
  { weight: 1, arbitrary: fc.constant({ do: 'count' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'fail' as const }) },
);

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

async function newServer(): Promise<{ serverId: string; flowIds: string[] }> {
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
  serverId: string,
  flowIds: string[],
  steps: Step[],
  name: string,
): Promise<void> {
  const seen: Seen[] = [];
  for (const [index, one] of steps.entries()) {
    const id = 'flow' in one ? (flowIds[one.flow] as string) : '';
    const value = `${name}.${index}`;
    if (one.do === 'read') {
      seen.push({ step: one, value: (await tx.first(find('flow', { id })))?.description ?? null });
    } else if (one.do === 'count') {
      const rows = await tx.all(q.selectFrom('flow').select('id').where('serverId', '=', serverId));
      seen.push({ step: one, value: rows.length });
    } else if (one.do === 'fail') {
      throw new Failed();
    } else {
      if (one.do === 'write') await tx.run(update('flow', id, { description: value }));
      if (one.do === 'remove') await tx.run(remove('flow', { id }));
      if (one.do === 'add') {
        const row = { ...newRow(deps), id, serverId, name: 'flow', description: value, enabled: true };
        await tx.run(insert('flow', { ...row, trigger: null, steps: [], creatorId: serverId }));
      }
      seen.push({ step: one, value });
    }
  }
  const address = { logId: serverId, channelId: null, userId: null };
  const event = { type: 'flow.created', ...address, actorId: null, at: deps.now() };
  await appendEvent(tx, { ...event, data: seen });
}

/** Replays the writes in the order of the log, and asserts that each read what the replay has. */
function replay(log: Seen[][]): void {
  const values = new Map<number, unknown>();
  for (const [place, seen] of log.entries()) {
    for (const { step: one, value } of seen) {
      const where = `work ${place} of the log, ${JSON.stringify(one)}`;
      if (one.do === 'read') assert.equal(value, values.get(one.flow) ?? null, where);
      if (one.do === 'count') assert.equal(value, values.size, where);
      if (one.do === 'write' && values.has(one.flow)) values.set(one.flow, value);
      if (one.do === 'remove') values.delete(one.flow);
      if (one.do === 'add') {
        assert.ok(!values.has(one.flow), `${where}: the flow exists already`);
        values.set(one.flow, value);
      }
    }
  }
}

test('writes on one server are serial in the order of the log, in batches and across nodes', async () => {
  let works = 0;
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 40 }),
      async (plans) => {
        const { serverId, flowIds } = await newServer();
        const outcomes = await Promise.allSettled(
          plans.map((steps, index) =>
            (nodes[index % 2] as Db).write(
              (tx) => perform(tx, serverId, flowIds, steps, `w${index}`),
              serverId,
            ),
          ),
        );
        const [node] = nodes as [Db];
        const rows = await node.read.all(
          q.selectFrom('event').select(['seq', 'data']).where('logId', '=', serverId).orderBy('seq'),
        );
        assert.deepEqual(
          rows.map(({ seq }) => seq),
          rows.map((_, index) => index + 1),
          'the numbers of the log have no gaps',
        );
        const done = outcomes.filter(({ status }) => status === 'fulfilled').length;
        assert.equal(rows.length, done, 'the log has exactly the acknowledged writes, once each');
        for (const outcome of outcomes) {
          if (outcome.status === 'fulfilled') continue;
          const { reason } = outcome;
          assert.ok(reason instanceof Failed || reason.index === 'flow(id)', String(reason));
        }
        replay(rows.map(({ data }) => JSON.parse(data)));
        works += plans.length;
        refused += plans.length - done;
      },
    ),
    { numRuns: 60 },
  );
  assert.ok(works > 300 && refused > 20, `${works} works, ${refused} of them refused`);
});

test('writes on different rows share a transaction, and a late failure of one does not affect the others', async () => {
  const { serverId, flowIds } = await newServer();
  const [node] = nodes as [Db];
  const { batches } = node.figures;
  const add = (flow: number) => (tx: Tx) =>
    perform(
      tx,
      serverId,
      flowIds,
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
