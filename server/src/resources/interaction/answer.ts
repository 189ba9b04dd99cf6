import type { Caller } from '../../access/authenticator.ts';
import { conditions, requireCondition } from '../../access/conditions.ts';
import type { RowOf } from '../../db/schema.ts';
import { invalid } from '../../errors.ts';
import { Type } from '../../lib/schema.ts';
import type { WriteCall } from '../../operations/call.ts';
import { body, flag, optional, text } from '../../operations/fields.ts';
import { perform } from '../../operations/perform.ts';
import { write } from '../../operations/write.ts';
import { load } from '../common.ts';
import { blocks } from '../message/blocks/blocks.ts';
import { messageSend } from '../message/index.ts';
import { channelFacts } from '../message/load.ts';
import { content, requireVisible } from '../message/messageRecord.ts';
import { messageSave } from '../message/save.ts';
import { requireReachable } from '../reachable.ts';
import { endInteraction } from './end.ts';
import { interaction, MAX_EPHEMERAL, toInteraction } from './interactionRecord.ts';

const changes = Type.Object(
  { content: optional(content), blocks: optional(blocks) },
  { additionalProperties: true, description: 'Changes to the message that contains the block' },
);

export const interactionAnswer = write({
  operation: 'interactionAnswer',
  method: 'POST',
  path: '/interactions/:id/answer',
  resource: 'interaction',
  verb: 'update',
  summary: 'Answer an interaction',
  description:
    "Only the interaction's agent can answer it, within 15 minutes. Send one of these: `content` or `blocks` for a new message, which replies to the block's message or is sent where the command was used; `update` to change the block's message; or `ephemeral` for a text that only the person can see. `failed` shows the person that the action failed.",
  body: body({
    content: optional(content),
    blocks: optional(blocks),
    update: optional(changes),
    ephemeral: optional(
      text({
        min: 1,
        max: MAX_EPHEMERAL,
        description: 'CommonMark that only the person can see',
        examples: ['You are on the list.'],
      }),
    ),
    failed: optional(flag('Whether the action failed')),
  }),
  examples: {
    'A message': { content: 'Deployed.' },
    'A change to the message': { update: { content: 'Deployed.', blocks: [] } },
    'For the person only': { ephemeral: 'You are on the list.' },
  },
  answer: interaction,
  check({ body }) {
    const { content, blocks, update, ephemeral, failed } = body;
    const ways = [content ?? blocks, update, ephemeral].filter((way) => way !== undefined).length;
    if (ways > 1)
      throw invalid('not_together', '', 'send only one of these: content or blocks, update, ephemeral');
    if (ways === 0 && failed !== true)
      throw invalid(
        'missing',
        'content',
        'is required, unless the answer has update or ephemeral, or failed is true',
      );
    if (content !== undefined || blocks !== undefined) requireVisible(content, (blocks ?? []).length > 0);
    if (update && update.content === undefined && update.blocks === undefined)
      throw invalid('missing', 'update', 'must have content or blocks');
  },
  async target({ db }, { params }) {
    const found = await load(db, 'interaction', params.id);
    const { serverId, channelId, agentId: ownerId } = found;
    return { serverId, ownerId, channel: await channelFacts(db, channelId), found };
  },
  async run(call, { body }, { channel, found }) {
    const { db, now, principal } = call;
    await requireReachable(db, principal, channel);
    if (found.state === 'expired' || (found.state === 'pending' && now >= found.expiresAt))
      throw invalid('wrong_kind', 'id', 'has expired');
    if (found.state !== 'pending') throw invalid('wrong_kind', 'id', 'was already answered');
    const { content, blocks, update, ephemeral = null, failed } = body;
    if (update && found.messageId === null)
      throw invalid('wrong_kind', 'update', 'is not possible for a command, which has no message');
    if (update) await performWithin(call, messageSave, { params: { id: found.messageId }, body: update });
    const isSent = content !== undefined || blocks !== undefined;
    const replyId = isSent ? await send(call, found, { content, blocks }) : null;
    const state = failed ? 'failed' : 'done';
    return toInteraction(await endInteraction(call, found, { state, ephemeral, replyId }));
  },
});

type Performed = typeof messageSend;

const performWithin = async (call: WriteCall, operation: Performed, input: object): Promise<unknown> =>
  (await perform(call.services, operation, call.caller as Caller, input, { within: call })).data;

/**
 * Sends the answer as a reply to the block's message, or where the command was used. Returns the answer's id.
 * Throws FORBIDDEN if a word rule would hold it.
 */
async function send(
  call: WriteCall,
  { channelId, threadId, messageId }: Pick<RowOf<'interaction'>, 'channelId' | 'threadId' | 'messageId'>,
  { content, blocks }: { content?: string | undefined; blocks?: readonly unknown[] | undefined },
): Promise<string> {
  const asked = messageId === null ? undefined : await load(call.db, 'message', messageId);
  const inThread = asked ? asked.threadId : threadId;
  const body = {
    channelId,
    ...(content !== undefined && { content }),
    ...(blocks !== undefined && { blocks }),
    ...(inThread !== null && { threadId: inThread }),
    ...(asked && { replyToId: asked.id }),
  };
  const sent = (await performWithin(call, messageSend, { body })) as { id: string; held?: true };
  if (sent.held) {
    // The person would be notified of an answer that nobody can see. The error rolls back the held message.
    const facts = { isRefused: false, isHeld: true, operation: 'message insert' } as const;
    requireCondition(call.principal, conditions.wordRules, facts);
  }
  return sent.id;
}
