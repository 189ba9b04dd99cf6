import type { RowOf } from '../db/schema.ts';
import { insert, q } from '../db/statements.ts';
import { eventsOf } from '../feed/eventKind.ts';
import { Type } from '../lib/schema.ts';
import { flag, id, json, longText, name, nullable, record } from '../operations/fields.ts';
import { read } from '../operations/read.ts';
import type { Work } from '../operations/work.ts';
import { aheadInServer, load, loadPart, pageById, recordOf } from './common.ts';

const flow = record('Flow', {
  serverId: id(),
  name: name(undefined, 'Welcome'),
  description: nullable(longText(undefined, 'Greets new members')),
  enabled: flag(undefined, true),
  trigger: json('The trigger that starts the flow', { on: 'serverMember.created' }),
  steps: Type.Array(json('A step; they run in order', { do: 'message.send', content: 'Welcome!' })),
  creatorId: id(),
});
const toFlow = recordOf(flow);

export const flowEvents = eventsOf('flow', { data: flow, audience: 'data' }, { created: 'A flow was made' });

export const flowOperations = [
  read({
    operation: 'flowsByServer',
    path: '/servers/:serverId/flows',
    tag: 'flow',
    summary: 'Flows of a server',
    visible: 'data',
    answer: flow,
    list: 'many',
    target: async ({ db }, { params }) => ({ serverId: (await load(db, 'server', params.serverId)).id }),
    ahead: aheadInServer,
    async run({ db }, { params, query, after }) {
      let rows = q
        .selectFrom('flow')
        .selectAll()
        .where('serverId', '=', params.serverId)
        .orderBy('id')
        .limit(query.limit + 1);
      if (after) rows = rows.where('id', '>', after[0] as string);
      return pageById(await db.all(rows), query.limit, toFlow);
    },
  }),

  read({
    operation: 'flowById',
    path: '/flows/:flowId',
    tag: 'flow',
    summary: 'Flow details',
    visible: 'data',
    answer: flow,
    target: ({ db }, { params }) => loadPart(db, 'flow', params.flowId, 'serverId'),
    run: async ({ db }, { params }) => toFlow(await load(db, 'flow', params.flowId)),
  }),
];

export async function addFlow(
  { db, emit, newRow }: Work,
  fields: Pick<RowOf<'flow'>, 'serverId' | 'name' | 'trigger' | 'steps' | 'creatorId'>,
) {
  const row = { ...newRow(), description: null, enabled: true, ...fields };
  await db.run(insert('flow', row));
  await emit(flowEvents.created, toFlow(row));
  return toFlow(row);
}
