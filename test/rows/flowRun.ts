import { toOne } from '../support/randomWrites.ts';
import type { Fields } from '../support/records.ts';
import { addRun, failRun, takeRun } from '../support/rows.ts';
import type { Rule } from '../support/rules.ts';
import type { Scene } from '../support/scene.ts';
import type { Json } from '../support/world.ts';
import type { Read, Write } from './row.ts';

const run: Fields = {
  flowId: 'id',
  serverId: 'id',
  trigger: 'text',
  status: 'text',
  isLate: 'flag',
  endedAt: 'time?',
  wakeAt: 'time?',
};

export const rule: Rule = { flags: ['canEditApp'] };
export const trigger = { on: 'manual' };
export const steps = [{ name: 'keep', do: 'set', values: { a: 'b' } }];

/** A flow whose steps need no flags, so every caller with canEditApp can save it. */
export const make = (scene: Scene): Promise<Json> => scene.make('/flows', { name: 'Keep', trigger, steps });
const makeRun = async (scene: Scene): Promise<Json> =>
  scene.make(`/flows/${(await make(scene)).id}/run`, { input: { a: 1 } });

export const runReads: Read[] = [
  {
    name: 'flowRunsByFlow',
    path: '/flows/:flowId/runs',
    answer: run,
    sight: 'canViewData',
    filters: { status: ['running', 'waiting', 'done', 'failed', 'cancelled'] },
    async ready(scene) {
      const { flowId } = await makeRun(scene);
      return { id: flowId };
    },
    listings: [
      {
        order: 'newest',
        async open(scene) {
          const { id } = await make(scene);
          return {
            path: `/flows/${id}/runs`,
            add: async () => (await addRun(scene.world, { flowId: id, serverId: scene.server.id })).id,
            take: (runId) => takeRun(scene.world, runId),
          };
        },
      },
      {
        as: 'those that failed',
        order: 'newest',
        async open(scene) {
          const { id } = await make(scene);
          const of = { flowId: id, serverId: scene.server.id };
          return {
            path: `/flows/${id}/runs?status=failed`,
            async add() {
              await addRun(scene.world, of);
              return (await addRun(scene.world, { ...of, status: 'failed' })).id;
            },
            take: (runId) => takeRun(scene.world, runId),
          };
        },
      },
    ],
  },
  {
    name: 'flowRunById',
    path: '/flow-runs/:flowRunId',
    answer: {
      ...run,
      error: 'text?',
      depth: 'count',
      eventId: 'text?',
      channelId: 'id?',
      input: 'json',
      steps: 'list',
    },
    sight: 'canViewData',
    ready: async (scene) => ({ id: (await makeRun(scene)).id }),
  },
];

export const runWrites: Write[] = [
  {
    name: 'flowRun',
    method: 'POST',
    path: '/flows/:id/run',
    answer: run,
    rule,
    ready: async (scene) => ({ id: (await make(scene)).id, body: {} }),
    fields: { input: 'anything?', eventId: 'eventId' },
    random: [toOne(1, 'flow', () => ({ input: {} }))],
    events: [
      {
        what: 'a run',
        async write({ home }) {
          const { id: flowId } = await make(home);
          return {
            id: flowId,
            body: { input: {} },
            home: ({ id }) => [['flowRun.created', { id, flowId, status: 'running' }]],
          };
        },
      },
    ],
  },
  {
    name: 'flowTry',
    method: 'POST',
    path: '/flows/:id/try',
    answer: { tries: 'list' },
    rule,
    ready: async (scene) => ({ id: (await make(scene)).id, body: {} }),
    fields: { eventId: 'text' },
    random: [toOne(1, 'flow', () => ({}))],
    events: [
      {
        what: 'nothing',
        write: async ({ home }) => ({ id: (await make(home)).id, body: {}, home: () => [] }),
      },
    ],
  },
  {
    name: 'flowRunRetry',
    method: 'POST',
    path: '/flow-runs/:id/retry',
    changes: true,
    answer: run,
    rule,
    async ready(scene) {
      const { id } = await makeRun(scene);
      await failRun(scene.world, id);
      return { id };
    },
    random: [
      {
        weight: 2,
        write({ failedRuns }, choice) {
          const id = choice.of([...failedRuns]);
          return id === undefined ? undefined : { id };
        },
      },
    ],
    events: [
      {
        what: 'a run that failed',
        async write({ home, world }) {
          const { id } = await makeRun(home);
          await failRun(world, id);
          return { id, home: () => [['flowRun.updated', { id, status: 'running' }]] };
        },
      },
    ],
  },
  {
    name: 'flowRunCancel',
    method: 'POST',
    path: '/flow-runs/:id/cancel',
    changes: true,
    answer: run,
    rule,
    ready: async (scene) => ({ id: (await makeRun(scene)).id }),
    random: [
      toOne(
        1,
        'flowRun',
        undefined,
        () =>
          ({ status }) =>
            status === 'running',
      ),
    ],
    events: [
      {
        what: 'a run that has not ended',
        async write({ home }) {
          const { id } = await makeRun(home);
          return { id, home: () => [['flowRun.updated', { id, status: 'cancelled' }]] };
        },
      },
    ],
  },
];
