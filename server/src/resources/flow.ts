import type { RowOf } from '../db/schema.ts';
import { insert, q, remove, update } from '../db/statements.ts';
import { eventsOf } from '../feed/eventKind.ts';
import { Type } from '../lib/schema.ts';
import {
  body,
  flag,
  id,
  json,
  longText,
  name,
  nullable,
  optional,
  record,
  reference,
} from '../operations/fields.ts';
import { read } from '../operations/read.ts';
import type { Work } from '../operations/work.ts';
import { write } from '../operations/write.ts';
import {
  aheadInServer,
  alters,
  load,
  loadPart,
  recordOf,
  sent,
  serverIdOf,
  serverTarget,
  touched,
} from './common.ts';
import { listById } from './lists.ts';

const step = json('A step; they run in order', { do: 'message.send', content: 'Welcome!' });
const fields = {
  name: name(undefined, 'Welcome'),
  description: nullable(longText(undefined, 'Greets new members')),
  enabled: flag(undefined, true),
  trigger: json('The trigger that starts the flow', { on: 'serverMember.created' }),
  steps: Type.Array(step),
};
/** The steps as they appear in a request body. */
const steps = Type.Array(step, { maxItems: 1000 });
const flow = record('Flow', { serverId: id(), ...fields, creatorId: id() });
const toFlow = recordOf(flow);

export const flowEvents = eventsOf(
  'flow',
  { data: flow, audience: 'data' },
  { created: 'A flow was created', updated: 'A flow was updated', deleted: 'A flow was deleted' },
);

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
    people: true,
    path: '/flows',
    resource: 'flow',
    verb: 'insert',
    summary: 'Create a flow',
    description: 'Palaver only stores flows and does not run them: your programs read them and act.',
    body: body({
      serverId: optional(reference('The server you are acting in by default')),
      name: fields.name,
      description: optional(fields.description),
      enabled: optional(fields.enabled),
      trigger: fields.trigger,
      steps,
    }),
    answer: flow,
    target: async (call, { body }) => ({ serverId: await serverIdOf(call, body.serverId) }),
    run: (call, { body }, { serverId }) =>
      addFlow(call, {
        ...sent(body, 'description', 'enabled'),
        name: body.name,
        trigger: body.trigger,
        steps: body.steps,
        serverId,
        creatorId: call.principal.userId,
      }),
  }),

  write({
    operation: 'flowUpdate',
    people: true,
    path: '/flows/:id',
    resource: 'flow',
    verb: 'update',
    summary: 'Update a flow',
    body: body({
      id: optional(reference()),
      name: optional(fields.name),
      description: optional(fields.description),
      enabled: optional(fields.enabled),
      trigger: optional(fields.trigger),
      steps: optional(steps),
    }),
    answer: flow,
    target: ({ db }, { params }) => load(db, 'flow', params.id),
    async run({ db, emit, now }, { body }, found) {
      const fields = sent(body, 'name', 'description', 'enabled', 'trigger', 'steps');
      if (!alters(found, fields)) return toFlow(found);
      const set = { ...fields, updatedAt: touched(found, now) };
      await db.run(update('flow', found.id, set));
      const changed = toFlow({ ...found, ...set });
      await emit(flowEvents.updated, changed);
      return changed;
    },
  }),

  write({
    operation: 'flowDelete',
    people: true,
    path: '/flows/:id',
    resource: 'flow',
    verb: 'delete',
    summary: 'Delete a flow',
    answer: flow,
    target: ({ db }, { params }) => load(db, 'flow', params.id),
    async run({ db, emit }, _input, found) {
      await db.run(remove('flow', { id: found.id }));
      await emit(flowEvents.deleted, toFlow(found));
      return toFlow(found);
    },
  }),
];

export async function addFlow(
  { db, emit, newRow }: Work,
  fields: Pick<RowOf<'flow'>, 'serverId' | 'name' | 'trigger' | 'steps' | 'creatorId'> &
    Partial<Pick<RowOf<'flow'>, 'description' | 'enabled'>>,
) {
  const row = { ...newRow(), description: null, enabled: true, ...fields };
  await db.run(insert('flow', row));
  await emit(flowEvents.created, toFlow(row));
  return toFlow(row);
}
