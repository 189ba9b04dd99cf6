import { q } from '../../db/statements.ts';
import { runStatuses } from '../../db/tables/flowRun.ts';
import { loadable } from '../../lib/late.ts';
import { Type } from '../../lib/schema.ts';
import { SAMPLE_EVENT_ID } from '../../operations/examples.ts';
import {
  body,
  flag,
  json,
  nullable,
  oneOf,
  optional,
  record,
  reference,
  text,
} from '../../operations/fields.ts';
import { read } from '../../operations/read.ts';
import { write } from '../../operations/write.ts';
import { load, loadPart } from '../common.ts';
import { listById } from '../lists.ts';
import type { ReadEvent } from './engine/place.ts';
import { flowRun, flowRunWithSteps, stepFields, toRun } from './flowRecord.ts';

const runs = loadable(() => import('./runs.ts'));
type Runs = typeof import('./runs.ts');
const rehearsal = loadable(() => import('./engine/rehearsal.ts'));
type Rehearsal = typeof import('./engine/rehearsal.ts') & {
  prepared: import('./engine/rehearsal.ts').Prepared | undefined;
};
const loaded = (): Runs => runs.value as Runs;

const triedStep = Type.Object(
  {
    ...stepFields,
    status: oneOf(['done', 'failed', 'skipped'], '`skipped` for waits and requests, which are not executed'),
  },
  { additionalProperties: false },
);
const flowTry = record('FlowTry', {
  tries: Type.Array(
    Type.Object(
      {
        eventId: nullable(
          text({ max: 100, examples: [SAMPLE_EVENT_ID], description: 'The event; null if there is none' }),
        ),
        matches: flag('Whether the event would start a run', true),
        error: nullable(
          text({ max: 1_000, examples: ['message not found'], description: 'Why it would fail' }),
        ),
        steps: Type.Array(triedStep, { description: 'The steps that would be executed' }),
      },
      { additionalProperties: false },
    ),
    { description: 'One dry run per event, newest first' },
  ),
});

/** Operations on flow runs. */
export const runOperations = [
  read({
    operation: 'flowRunsByFlow',
    path: '/flows/:flowId/runs',
    tag: 'flow',
    summary: "List a flow's runs",
    description: 'Returns the newest runs first. They are kept for 30 days after they end.',
    visible: 'data',
    query: Type.Object({ status: optional(oneOf(runStatuses, 'Only runs with this status')) }),
    answer: flowRun,
    list: 'many',
    target: ({ db }, { params }) => loadPart(db, 'flow', params.flowId, 'serverId'),
    async run({ db }, input) {
      let rows = q.selectFrom('flowRun').selectAll().where('flowId', '=', input.params.flowId);
      if (input.query.status !== undefined) rows = rows.where('status', '=', input.query.status);
      return listById(db, rows, input, toRun, 'desc');
    },
  }),

  read({
    operation: 'flowRunById',
    path: '/flow-runs/:flowRunId',
    tag: 'flow',
    summary: 'Get a run of a flow with its steps',
    description:
      'Inputs, outputs and errors are null unless you have canEditApp and can see the channel of the event that started the run.',
    visible: 'data',
    answer: flowRunWithSteps,
    target: ({ db }, { params }) => loadPart(db, 'flowRun', params.flowRunId, 'serverId'),
    run: async (call, { params }) => (await runs.load()).runWithSteps(call, params.flowRunId),
  }),

  write({
    operation: 'flowRun',
    path: '/flows/:id/run',
    method: 'POST',
    resource: 'flow',
    verb: 'update',
    summary: 'Run a flow now',
    description:
      'Works for flows with any trigger. Templates read the input as `{{input.x}}`, and the event, if you pass an `eventId`, as `{{event.x}}`.',
    body: body({
      input: optional(json('The input of the run', { to: 'ada' })),
      eventId: optional(
        text({
          max: 100,
          examples: [SAMPLE_EVENT_ID],
          description: 'The event for the run, which you must be able to see',
        }),
      ),
    }),
    answer: flowRun,
    before: async (services, caller, { params, body }) => ({
      event: await (await runs.load()).eventToRun(services, caller, params.id, body.eventId),
    }),
    target: ({ db }, { params }) => load(db, 'flow', params.id),
    needs: runs,
    run: (call, { body }, found) =>
      loaded().runByHand(call, found, body.input, (call.found as { event?: ReadEvent }).event),
  }),

  write({
    operation: 'flowTry',
    path: '/flows/:id/try',
    method: 'POST',
    resource: 'flow',
    verb: 'update',
    summary: 'Try a flow on recent events',
    description:
      'Executes the steps for an event, or for the last ten of its type, and rolls everything back: nothing is written or sent. A flow with another trigger is tried once, with an empty input. Uses only events that both you and the flow can see.',
    body: body({
      id: optional(reference()),
      eventId: optional(
        text({
          max: 100,
          examples: [SAMPLE_EVENT_ID],
          description: 'The event to try; by default, the last ten events',
        }),
      ),
    }),
    answer: flowTry,
    confidential: true,
    before: async (services, caller, { params, body }) => ({
      ...(await rehearsal.load()),
      prepared: await (await rehearsal.load()).prepare(services, caller, params.id, body.eventId),
    }),
    target: ({ db }, { params }) => load(db, 'flow', params.id),
    async run(call, _input, found) {
      const { rehearse, prepared } = call.found as Rehearsal;
      const { id, createdAt, updatedAt } = found;
      return { id, createdAt, updatedAt, tries: prepared ? await rehearse(call, found, prepared) : [] };
    },
  }),

  write({
    operation: 'flowRunRetry',
    path: '/flow-runs/:id/retry',
    method: 'POST',
    resource: 'flow',
    verb: 'update',
    summary: 'Retry a failed run from the step that failed',
    description: 'Completed steps are not repeated.',
    answer: flowRun,
    target: ({ db }, { params }) => load(db, 'flowRun', params.id),
    needs: runs,
    run: (call, _input, found) => loaded().retryRun(call, found),
  }),

  write({
    operation: 'flowRunCancel',
    path: '/flow-runs/:id/cancel',
    method: 'POST',
    resource: 'flow',
    verb: 'update',
    summary: 'Cancel a run',
    description: 'Changes made by its steps are kept. A run that has ended is returned unchanged.',
    answer: flowRun,
    target: ({ db }, { params }) => load(db, 'flowRun', params.id),
    needs: runs,
    run: (call, _input, found) => loaded().cancelRun(call, found),
  }),
];
