import { q } from '../../db/statements.ts';
import { loadable } from '../../lib/late.ts';
import { body, optional, reference } from '../../operations/fields.ts';
import { read } from '../../operations/read.ts';
import { write } from '../../operations/write.ts';
import { aheadInServer, load, loadPart, serverIdOf, serverTarget } from '../common.ts';
import { listById } from '../lists.ts';
import { flow, flowFields, flowWithPath, stepsInBody, toFlow } from './flowRecord.ts';
import { runOperations } from './runOperations.ts';

/** The module is loaded by the first write to a flow. */
const saving = loadable(() => import('./saving.ts'));
type Saving = typeof import('./saving.ts');
const loaded = (): Saving => saving.value as Saving;

export const flowOperations = [
  read({
    operation: 'flowsByServer',
    path: '/servers/:serverId/flows',
    tag: 'flow',
    summary: "List a server's flows",
    visible: 'data',
    answer: flow,
    list: 'many',
    target: serverTarget,
    ahead: aheadInServer,
    async run({ db }, input) {
      const rows = q.selectFrom('flow').selectAll().where('serverId', '=', input.params.serverId);
      return listById(db, rows, input, toFlow);
    },
  }),

  read({
    operation: 'flowById',
    path: '/flows/:flowId',
    tag: 'flow',
    summary: 'Get a flow',
    visible: 'data',
    answer: flow,
    target: ({ db }, { params }) => loadPart(db, 'flow', params.flowId, 'serverId'),
    run: async ({ db }, { params }) => toFlow(await load(db, 'flow', params.flowId)),
  }),

  write({
    operation: 'flowInsert',
    path: '/flows',
    resource: 'flow',
    verb: 'insert',
    summary: 'Create a flow',
    description:
      'Palaver runs the steps when the trigger occurs. The flow acts as its own agent, with a role that has the flags its steps need. You must have these flags. The guide to flows lists triggers and steps.',
    body: body({
      serverId: optional(reference('The server you are acting in by default')),
      name: flowFields.name,
      description: optional(flowFields.description),
      enabled: optional(flowFields.enabled),
      trigger: flowFields.trigger,
      steps: stepsInBody,
    }),
    answer: flowWithPath,
    confidential: true,
    makes: ({ body }) => [
      ...(['flows', 'roles'] as const),
      ...((body.trigger as { on?: unknown } | null)?.on === 'command' ? (['commands'] as const) : []),
    ],
    needs: saving,
    check: ({ body }, { events, now }) => void loaded().requireShape(body, events, now),
    target: async (call, { body }) => ({ serverId: await serverIdOf(call, body.serverId) }),
    run: (call, { body }, { serverId }) => loaded().insertFlow(call, body, serverId),
  }),

  write({
    operation: 'flowUpdate',
    path: '/flows/:id',
    resource: 'flow',
    verb: 'update',
    summary: 'Update a flow',
    description:
      'To change the trigger or the steps, or to turn a flow on, you must have all flags of its role. Runs in progress keep the steps they started with.',
    body: body({
      id: optional(reference()),
      name: optional(flowFields.name),
      description: optional(flowFields.description),
      enabled: optional(flowFields.enabled),
      trigger: optional(flowFields.trigger),
      steps: optional(stepsInBody),
    }),
    answer: flowWithPath,
    confidential: true,
    needs: saving,
    target: ({ db }, { params }) => load(db, 'flow', params.id),
    run: (call, { body }, found) => loaded().updateFlow(call, body, found),
  }),

  write({
    operation: 'flowDelete',
    path: '/flows/:id',
    resource: 'flow',
    verb: 'delete',
    summary: 'Delete a flow',
    description: "Also deletes the flow's runs and its role. Runs that have not ended stop.",
    answer: flow,
    needs: saving,
    target: ({ db }, { params }) => load(db, 'flow', params.id),
    run: (call, _input, found) => loaded().deleteFlow(call, found),
  }),

  ...runOperations,
];
