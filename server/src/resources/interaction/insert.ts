import { conditions, requireCondition } from '../../access/conditions.ts';
import { setTimer } from '../../clock/timers.ts';
import type { Reader } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { find, insert, prepare, q } from '../../db/statements.ts';
import { invalid } from '../../errors.ts';
import { isId } from '../../lib/deps.ts';
import type { WriteCall } from '../../operations/call.ts';
import { body, json, optional, reference, text } from '../../operations/fields.ts';
import { write } from '../../operations/write.ts';
import { checkedOptions } from '../command/options.ts';
import { requireAgentSees } from '../command/sight.ts';
import { load } from '../common.ts';
import type { Element } from '../message/blocks/elements.ts';
import { elementsOf, storedBlocks } from '../message/blocks/stored.ts';
import { isInLockedThread, messageTarget, placeNamed } from '../message/load.ts';
import { requireReachable } from '../reachable.ts';
import { type Approval, decide, placeOf } from './decide.ts';
import {
  ANSWER_MS,
  interaction,
  interactionEvents,
  type Taken,
  toInteraction,
  toShownInteraction,
} from './interactionRecord.ts';
import { checkedValue } from './values.ts';

type Row = RowOf<'interaction'>;
type Message = RowOf<'message'>;

/** Maximum size of a value, and of the options, in bytes of JSON. */
const MAX_VALUE_BYTES = 64 * 1024;

/** The fields of an interaction, without its caller and channel. */
type Act = Pick<Row, 'agentId' | 'threadId'> &
  Partial<Pick<Row, 'messageId' | 'commandId' | 'blockId' | 'actionId' | 'value' | 'options'>>;

/** Adds an interaction, and notifies its agent. `started` is the flow that the command starts. */
async function add(
  call: WriteCall,
  channel: { id: string; serverId: string },
  act: Act,
  started?: Taken['started'],
): Promise<Row> {
  const { db, emit, newRow, now, principal } = call;
  const { serverId } = channel;
  const none = {
    messageId: null,
    commandId: null,
    blockId: null,
    actionId: null,
    value: null,
    options: null,
  };
  const row: Row = {
    ...newRow(),
    serverId,
    channelId: channel.id,
    ...none,
    ...act,
    userId: principal.userId,
    state: 'pending',
    expiresAt: now + ANSWER_MS,
    ephemeral: null,
    replyId: null,
  };
  await db.run(insert('interaction', row));
  await setTimer(db, { id: row.id, kind: 'interaction', serverId, dueAt: row.expiresAt, now });
  const { flowId } = call.found as Pick<Taken, 'flowId'>;
  const { runsPerMinute } = call.services.flowBounds;
  const known: Taken = { row, flowId, started, runsPerMinute };
  await emit(interactionEvents.created, toShownInteraction(row), { known });
  return known.row;
}

const ofMessage = prepare((p: { id: string }) =>
  q
    .selectFrom('message')
    .innerJoin('flow', 'flow.userId', 'message.creatorId')
    .select('flow.id')
    .whereRef('flow.serverId', '=', 'message.serverId')
    .where('message.id', '=', p.id),
);

const ofCommand = prepare((p: { id: string }) =>
  q
    .selectFrom('command')
    .innerJoin('flow', 'flow.userId', 'command.agentId')
    .select('flow.id')
    .whereRef('flow.serverId', '=', 'command.serverId')
    .where('command.id', '=', p.id),
);

/**
 * Returns the id of the flow whose agent sent a message or has a command. It can be loaded before the write,
 * because the author of a message and the agent of a command never change.
 */
async function flowIdOf(db: Reader, messageId?: string, commandId?: string): Promise<string | undefined> {
  const [id, of] = messageId === undefined ? [commandId, ofCommand] : [messageId, ofMessage];
  // PostgreSQL cannot compare ids that are not UUIDs. The write rejects them.
  return id !== undefined && isId(id) ? (await db.first(of({ id })))?.id : undefined;
}

/** Finds the element that the caller acts on, in its block. Throws INVALID_REQUEST. */
function elementIn(message: Message, blockId: string, actionId: string) {
  const block = storedBlocks(message).find(({ id }) => id === blockId);
  if (!block)
    throw invalid('unknown_value', 'blockId', 'is not a block of this message. It may have changed');
  const element = elementsOf(block).find(({ id }) => id === actionId);
  if (!element)
    throw invalid('unknown_value', 'actionId', 'is not an element of this block. It may have changed');
  return { block, element };
}

/** Throws INVALID_REQUEST unless the agent is a member of the server. */
async function requireAgentIn(
  db: Reader,
  of: { serverId: string; userId: string },
  field: string,
): Promise<void> {
  if (await db.first(find('serverMember', of))) return;
  throw invalid('wrong_kind', field, 'belongs to an agent that left the server');
}

/** Finds the caller's latest interaction with an element. */
const latestOf = (of: Pick<Row, 'messageId' | 'userId' | 'blockId' | 'actionId'>) =>
  q
    .selectFrom('interaction')
    .selectAll()
    .where('messageId', '=', of.messageId)
    .where('userId', '=', of.userId)
    .where('blockId', '=', of.blockId)
    .where('actionId', '=', of.actionId)
    .orderBy('id', 'desc')
    .limit(1);

/**
 * Whether another click would be a duplicate, because the agent has not answered yet or the button counts
 * only once.
 */
const countsOnce = ({ state }: Row, element: Element): boolean =>
  state === 'pending' || (state === 'done' && element.type === 'button' && element.repeatable !== true);

/** Adds an interaction with an element of a message. A duplicate click returns the existing interaction. */
async function onElement(
  call: WriteCall,
  message: Message,
  channel: { id: string; serverId: string; memberIds: readonly string[] | null },
  { blockId, actionId, value: given }: { blockId: string; actionId: string; value?: unknown },
): Promise<Row> {
  const { db, now, principal } = call;
  const { id: messageId, creatorId: agentId, threadId } = message;
  const { userId } = principal;
  const { block, element } = elementIn(message, blockId, actionId);
  await requireAgentIn(db, { serverId: channel.serverId, userId: agentId }, 'messageId');
  const before = await db.first(latestOf({ messageId, userId, blockId, actionId }));
  const approval = block.type === 'actions' && block.deciders ? (block as Approval) : undefined;
  const place = approval && (await placeOf(db, principal, approval, actionId));
  if (before && ((place && 'repeats' in place) || (!place && countsOnce(before, element)))) return before;
  const value = checkedValue(element, given);
  const row = await add(call, channel, { agentId, threadId, messageId, blockId, actionId, value });
  if (!approval || !place || 'repeats' in place) return row;
  const shown = typeof value === 'string' ? { value } : {};
  const roleIds = approval.deciders.rule === 'all' ? { roleIds: place.roleIds } : {};
  const decision = { id: row.id, userId, actionId, ...shown, ...roleIds, at: now };
  await decide(call, message, approval, decision, channel.memberIds !== null);
  return row;
}

export const interactionInsert = write({
  operation: 'interactionInsert',
  path: '/interactions',
  resource: 'interaction',
  verb: 'insert',
  summary: 'Act on a block or use a command',
  description:
    'Only people can do this. The agent that sent the message or owns the command gets the interaction. Pass `messageId`, `blockId`, `actionId` and, except for buttons, `value`; or `commandId`, `options`, and `channelId` or `threadId`. Another click returns the existing interaction while it is pending, or if the button can be used only once. A person who decides on an approval too late gets ALREADY_EXISTS with the earlier decision in `details`.',
  body: body({
    messageId: optional(reference()),
    blockId: optional(text({ max: 64, examples: ['a1'] })),
    actionId: optional(text({ max: 64, examples: ['ok'] })),
    value: optional(json('The value, as the element requires', '1')),
    commandId: optional(reference()),
    channelId: optional(reference('Where the command is used. Required without threadId')),
    threadId: optional(reference('The thread in which the command is used')),
    options: optional(json('The options of the command by name', { service: 'web' })),
  }),
  examples: {
    'A button': { messageId: '01920000-0000-7000-8000-000000000001', blockId: 'a1', actionId: 'ok' },
    'A command': {
      commandId: '01920000-0000-7000-8000-000000000002',
      channelId: '01920000-0000-7000-8000-000000000003',
      options: { service: 'web' },
    },
  },
  answer: interaction,
  conflicts: true,
  check({ body }) {
    const { messageId, blockId, actionId, commandId, channelId, threadId, options } = body;
    if (messageId !== undefined && commandId !== undefined)
      throw invalid('not_together', 'commandId', 'cannot be combined with messageId');
    const isCommand =
      messageId === undefined && [commandId, channelId, threadId, options].some((one) => one !== undefined);
    const needed = isCommand
      ? { commandId, channelId: channelId ?? threadId }
      : { messageId, blockId, actionId };
    for (const [name, given] of Object.entries(needed))
      if (given === undefined) throw invalid('missing', name, 'is required');
    for (const name of ['value', 'options'] as const)
      if (Buffer.byteLength(JSON.stringify(body[name]) ?? '') > MAX_VALUE_BYTES)
        throw invalid('too_long', name, `must be at most ${MAX_VALUE_BYTES} bytes of JSON`);
  },
  before: async ({ db }, _caller, { body: { messageId, commandId } }) => ({
    flowId: await flowIdOf(db.read, messageId, commandId),
  }),
  async target({ db }, { body }) {
    const { messageId, commandId } = body;
    if (messageId !== undefined) {
      const found = await messageTarget(db, messageId);
      const isLocked = await isInLockedThread(db, found.message);
      return { ...found, isLocked, threadId: found.message.threadId, command: undefined };
    }
    const command = await load(db, 'command', commandId as string);
    const { channel, thread } = await placeNamed(db, body);
    const { id: threadId = null, locked: isLocked = false } = thread ?? {};
    return { serverId: channel.serverId, channel, isLocked, threadId, message: undefined, command };
  },
  async run(call, { body }, { channel, isLocked, threadId, message, command }) {
    const { db, principal } = call;
    requireCondition(principal, conditions.acts, {});
    await requireReachable(db, principal, channel);
    requireCondition(principal, conditions.lockedThread, { isLocked, operation: 'interaction insert' });
    if (message) {
      const { blockId = '', actionId = '', value } = body;
      return toInteraction(await onElement(call, message, channel, { blockId, actionId, value }));
    }
    if (!command || command.serverId !== channel.serverId)
      throw invalid('mismatch', 'commandId', 'is a command of another server');
    const { id: commandId, agentId, flowId } = command;
    await requireAgentSees(db, channel, agentId);
    const options = await checkedOptions(call, command.options, body.options);
    const started = flowId === null ? undefined : await db.first(find('flow', { id: flowId }));
    return toInteraction(await add(call, channel, { agentId, threadId, commandId, options }, started));
  },
});
