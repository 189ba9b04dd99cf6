import type { RowOf } from '../../db/schema.ts';
import { runStatuses } from '../../db/tables/flowRun.ts';
import { eventsOf } from '../../feed/eventKind.ts';
import { Type } from '../../lib/schema.ts';
import { SAMPLE_EVENT_ID, sampleId } from '../../operations/examples.ts';
import {
  count,
  flag,
  id,
  json,
  longText,
  name,
  nullable,
  oneOf,
  optional,
  record,
  text,
  time,
} from '../../operations/fields.ts';
import { recordOf } from '../common.ts';

const sampleStep = {
  name: 'answer',
  do: 'message.send',
  channelId: '{{event.data.channelId}}',
  content: 'Pong',
};
const step = json('A step. Steps run in order', sampleStep);

export const flowFields = {
  name: name(undefined, 'Welcome'),
  description: nullable(longText(undefined, 'Greets new members')),
  enabled: flag('Whether the flow runs when it is triggered', true),
  trigger: json('The event, schedule or request that starts the flow', {
    on: 'event',
    type: 'message.created',
    where: { path: 'event.data.content', startsWith: 'ping' },
  }),
  steps: Type.Array(step),
};

/** The steps in a body. Their types and a stricter limit are checked later (flows/shape.ts). */
export const stepsInBody = Type.Array(step, { maxItems: 1000 });

const shownFields = {
  serverId: id(),
  ...flowFields,
  kind: oneOf(
    ['flow', 'note'],
    'Palaver runs a `flow`. A `note` is an entry for other programs, from before Palaver ran flows; it never runs',
  ),
  disabledReason: nullable(
    text({
      max: 200,
      examples: ['the member who last saved it, or its agent, left the server'],
      description: 'Why Palaver turned it off; null if it did not',
    }),
  ),
  creatorId: id(),
  makerId: nullable(id('The member who saved it last, and whose permissions it needs; null for a note')),
  userId: nullable(id('The agent that it acts as; null for a note')),
  roleId: nullable(id('The role that it acts with; null for a note')),
};

export const flow = record('Flow', shownFields);
export const toFlow = recordOf(flow);

/** The response to a write that creates a hook for a flow. No other response contains its path. */
export const flowWithPath = record('FlowWithPath', {
  ...shownFields,
  path: optional(
    text({
      max: 100,
      examples: ['/hooks/flows/hook_plv_…'],
      description: 'The path to which programs post, for the trigger `hook`. Store it: it is not shown again',
    }),
  ),
});

export const flowEvents = eventsOf(
  'flow',
  { data: flow, audience: 'data' },
  { created: 'A flow was created', updated: 'A flow was updated', deleted: 'A flow was deleted' },
);

/** Inputs and outputs are truncated to this many characters of JSON. */
const MAX_SHOWN_CHARACTERS = 16 * 1024;
const MAX_ERROR_CHARACTERS = 1_000;

/** The fields of a run that everyone with canViewData can see. */
const open = {
  flowId: id('The flow'),
  serverId: id(),
  trigger: text({ max: 20, examples: ['event'], description: 'The `on` of the trigger that started it' }),
  status: oneOf(runStatuses),
  isLate: flag('Whether a schedule started it late, for example after downtime'),
  endedAt: nullable(time('When it ended; null while it runs or waits')),
  wakeAt: nullable(time('When a waiting run continues')),
};

const error = (description: string) =>
  nullable(text({ max: MAX_ERROR_CHARACTERS, examples: ['message not found'], description }));

/** An executed step, with its input and output. */
export const stepFields = {
  name: text({ max: 100, examples: ['answer'] }),
  type: text({ max: 50, examples: ['message.send'], description: "The step's `do`" }),
  input: json('The fields of the step, with templates filled in', { content: 'pong' }),
  output: json('The result of the step', { id: sampleId('message') }),
  error: error('Why it failed'),
};

const executedStep = Type.Object(
  {
    ...stepFields,
    status: oneOf(['done', 'failed', 'waiting']),
    attempts: count('Number of attempts', 1),
    startedAt: time('When the first attempt started'),
    endedAt: time('When the last attempt ended'),
  },
  { additionalProperties: false },
);

/** A run in lists, events and responses to writes. */
export const flowRun = record('FlowRun', open);
export const toRun: (row: object) => ReturnType<ReturnType<typeof recordOf<typeof flowRun>>> = (row) =>
  plain({ ...row, trigger: (row as RowOf<'flowRun'>).triggeredBy });
const plain = recordOf(flowRun);

/** A run with its steps. */
export const flowRunWithSteps = record('FlowRunWithSteps', {
  ...open,
  error: error('Why it failed'),
  depth: count('How many flows triggered each other before this run'),
  eventId: nullable(
    text({ max: 100, examples: [SAMPLE_EVENT_ID], description: 'The event that started it' }),
  ),
  channelId: nullable(id('The channel of the event'), sampleId('channel')),
  input: json('The input of a run that was started manually, by a hook or by a command', { to: 'ada' }),
  steps: Type.Array(executedStep, { description: 'The steps that were executed, in order' }),
});

/**
 * Returns a run with its steps. A caller who may not edit flows, or may not see the event's channel, gets the
 * status and times, but no inputs, outputs or errors (decisions, part 8).
 */
export function toRunWithSteps(
  row: RowOf<'flowRun'>,
  steps: readonly RowOf<'flowStep'>[],
  showsValues: boolean,
) {
  return {
    ...toRun(row),
    depth: row.depth,
    eventId: row.eventId,
    channelId: row.channelId,
    error: showsValues ? row.error : null,
    input: showsValues ? shown(row.input) : null,
    steps: steps.map(({ name, type, status, attempts, createdAt, updatedAt, ...values }) => ({
      name,
      type,
      status,
      attempts,
      startedAt: createdAt,
      endedAt: updatedAt,
      input: showsValues ? shown(values.input) : null,
      output: showsValues ? shown(values.output) : null,
      error: showsValues ? values.error : null,
    })),
  };
}

/** Returns the value, or the start of its JSON if that is too long. */
export function shown(value: unknown, most = MAX_SHOWN_CHARACTERS): unknown {
  const json = JSON.stringify(value ?? null);
  return json.length > most ? `${json.slice(0, most).toWellFormed()}…` : (value ?? null);
}

export const cutError = (message: string): string => message.slice(0, MAX_ERROR_CHARACTERS).toWellFormed();

export const flowRunEvents = eventsOf(
  'flowRun',
  { data: flowRun, audience: 'data' },
  {
    created: 'A run of a flow was started',
    updated: 'A run of a flow started to wait, continued or ended',
  },
);
