import type { Credential } from '../../access/credentials/index.ts';
import type { RowOf } from '../../db/schema.ts';
import { insert } from '../../db/statements.ts';
import { eventsOf } from '../../feed/eventKind.ts';
import type { WriteCall } from '../../operations/call.ts';
import { id, nullable, oneOf, record } from '../../operations/fields.ts';
import { recordOf } from '../common.ts';
import { heldBy } from '../wordRule/rules.ts';
import { textIn } from './blocks/stored.ts';
import type { ChannelFacts } from './load.ts';
import { keepPace } from './pace.ts';

const fields = {
  serverId: id(),
  channelId: id(),
  threadId: nullable(id('The thread in which the message will be sent')),
  replyToId: nullable(id('The message that this one replies to')),
  creatorId: id('The author of the message'),
};

/**
 * A held message without the texts that members wrote, as it appears in events and in the responses to
 * writes.
 */
export const heldMessage = record('HeldMessage', {
  ...fields,
  outcome: nullable(
    oneOf(
      ['approved', 'rejected', 'withdrawn'],
      'The decision of a moderator or of the author; null while the message is waiting',
    ),
  ),
});
export const toHeldMessage = recordOf(heldMessage);
export { fields as heldFields };

export const heldMessageEvents = eventsOf(
  'heldMessage',
  { data: heldMessage, audience: 'reports' },
  {
    created: 'A message was held for approval by a moderator',
    deleted: 'A held message was approved, rejected or withdrawn',
  },
);

/** The kinds of credentials that act with one role, regardless of their user's roles. */
const ofOneRole: ReadonlySet<Credential['kind']> = new Set(['apiKey', 'hookToken', 'flow']);

/** Holds a message for moderation. Returns the response that its author gets instead of the message. */
async function hold(
  { caller, db, emit, newRow, principal }: WriteCall,
  message: Omit<RowOf<'heldMessage'>, 'id' | 'createdAt' | 'updatedAt' | 'creatorId' | 'roleId'>,
) {
  const hasOneRole = caller !== undefined && ofOneRole.has(caller.credential.kind);
  const roleId = (hasOneRole && principal.roleIds[0]) || null;
  const row = { ...newRow(), ...message, creatorId: principal.userId, roleId };
  await db.run(insert('heldMessage', row));
  await emit(heldMessageEvents.created, toHeldMessage(row));
  const { pattern: _pattern, roleId: _roleId, threadId, replyToId: _replyToId, ...rest } = row;
  return { ...rest, type: principal.userType, isThreadReply: threadId !== null, deleted: false, held: true };
}

interface Target {
  channel: ChannelFacts;
  /** The version of the word rules; undefined if none apply (see `wordRulesVersion`). */
  words: string | undefined;
}

/** Returns false if neither slow mode nor word rules apply to messages in the channel. */
export const mayBeHeld = ({ channel, words }: Target): boolean =>
  channel.slowSeconds > 0 || words !== undefined;

/**
 * Checks slow mode and the word rules for a message that is about to be sent, with the text in its blocks.
 * Returns the response if the message is held; undefined if it can be sent. Throws FORBIDDEN and
 * RATE_LIMITED.
 */
export async function heldIfNeeded(
  call: WriteCall,
  {
    content = '',
    attachmentIds = [],
    streaming,
  }: { content?: string; attachmentIds?: readonly string[]; streaming?: boolean },
  target: Target & { thread: { id: string } | undefined; replyTo: { id: string } | undefined },
  blocks: readonly unknown[] | undefined,
) {
  const { channel, thread, replyTo, words: version } = target;
  const mayWait = attachmentIds.length === 0 && !streaming && blocks === undefined;
  const text = `${content}\n${textIn(blocks)}`;
  const pattern = await heldBy(call, { version, text }, 'message insert', mayWait);
  await keepPace(call, channel);
  if (pattern === undefined) return undefined;
  const place = { serverId: channel.serverId, channelId: channel.id, threadId: thread?.id ?? null };
  return hold(call, { ...place, replyToId: replyTo?.id ?? null, content, pattern });
}
