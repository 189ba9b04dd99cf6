import type { RowOf } from '../../db/schema.ts';
import { eventsOf } from '../../feed/eventKind.ts';
import { Type } from '../../lib/schema.ts';
import { id, json, nullable, oneOf, record, text, time } from '../../operations/fields.ts';
import { recordOf } from '../common.ts';

/** How long an agent has to answer, in milliseconds. */
export const ANSWER_MS = 15 * 60_000;
/** Maximum characters in an answer that only the person sees. */
export const MAX_EPHEMERAL = 8_000;

export const interactionStates = ['pending', 'done', 'failed', 'expired'] as const;

const fields = {
  serverId: id(),
  channelId: id(),
  threadId: nullable(id('The thread that contains the message, or in which the command was used')),
  messageId: nullable(id('The message that contains the block; null for a command')),
  commandId: nullable(id('The command; null for a block')),
  agentId: id('The agent that answers'),
  userId: id('The person who acted'),
  blockId: nullable(text({ max: 64, examples: ['a1'] })),
  actionId: nullable(text({ max: 64, description: 'The id of the element', examples: ['ok'] })),
  state: oneOf(interactionStates, '`expired` if the agent did not answer in time'),
  expiresAt: time('The time until which the agent can answer'),
  replyId: nullable(id('The message with which the agent answered')),
};

/** The response to writes. It contains no texts, because responses are stored for an `Idempotency-Key`. */
export const interaction = record('Interaction', fields);
export const toInteraction = recordOf(interaction);

/** The response to reads, and the data of events. */
export const shownInteraction = record('ShownInteraction', {
  ...fields,
  value: Type.Unsafe<unknown>(
    json(
      'The value of the button, option or day; for a form, an object with the values by field id; null for a command',
      '1',
    ),
  ),
  options: Type.Unsafe<unknown>(
    json('The options of a command by name; null for a block', { service: 'web' }),
  ),
  ephemeral: nullable(
    text({
      max: MAX_EPHEMERAL,
      description: 'An answer that only the person sees',
      examples: ['You are on the list.'],
    }),
  ),
});
export const toShownInteraction = recordOf(shownInteraction);

/** Facts about a new interaction that `takeInteraction` needs, in the write that adds it. */
export interface Taken {
  /** The interaction's row. It is replaced if a flow answers the interaction in this write. */
  row: RowOf<'interaction'>;
  /** The flow whose agent receives the interaction; undefined for another agent. */
  readonly flowId: string | undefined;
  /** The flow that the command starts; undefined for a block, and for the command of another agent. */
  readonly started: RowOf<'flow'> | undefined;
  /** The maximum number of flow runs that the server may start per minute; 0 for no limit. */
  readonly runsPerMinute: number;
}

export const interactionEvents = eventsOf(
  'interaction',
  {
    data: shownInteraction,
    audience: 'owner',
    addressOf: ({ agentId }) => ({ userId: agentId }),
  },
  {
    created: "A person used an agent's block or command. Only the agent receives this event",
    updated: 'An interaction was answered or expired. The agent and the person receive this event',
    deleted: 'The message of an interaction was deleted',
  },
);

/** The event `interaction.updated` for the person instead of the agent. */
export const updatedForPerson: typeof interactionEvents.updated = {
  ...interactionEvents.updated,
  addressOf: ({ serverId: logId, channelId, userId }) => ({ logId, channelId, userId }),
};

/** A decision as it appears in events. Its id is that of the interaction. */
const decided = record('ApprovalDecision', {
  serverId: id(),
  channelId: id(),
  messageId: id(),
  blockId: text({ max: 64, examples: ['a1'] }),
  actionId: text({ max: 64, description: 'The id of the element', examples: ['ok'] }),
  userId: id('The person who decided'),
});

export const approvalEvents = eventsOf(
  'approval',
  { data: decided, audience: 'channel' },
  { decided: 'A person made a decision on an approval' },
);
