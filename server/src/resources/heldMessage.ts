import { authorize } from '../access/rules.ts';
import { requireNoTimeOut } from '../access/timeOut.ts';
import { whereChannelVisible } from '../access/whereVisible.ts';
import type { Reader } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import { q, remove } from '../db/statements.ts';
import { HELD_MS } from '../db/tables/heldMessage.ts';
import { notFound } from '../errors.ts';
import { MAX_PATTERN } from '../lib/text/wordRules.ts';
import { type WriteCall, writeCallOf } from '../operations/call.ts';
import { record, text } from '../operations/fields.ts';
import { read } from '../operations/read.ts';
import { write } from '../operations/write.ts';
import { load, recordOf, serverTarget } from './common.ts';
import { pageById, rowsById } from './lists.ts';
import { heldFields, heldMessage, heldMessageEvents, toHeldMessage } from './message/held.ts';
import { messageSend } from './message/index.ts';
import { channelFacts } from './message/load.ts';
import { content, message } from './message/messageRecord.ts';

const shownHeldMessage = record('ShownHeldMessage', {
  ...heldFields,
  content,
  pattern: text({
    max: MAX_PATTERN,
    description: 'The pattern that held the message',
    examples: ['cheap watch*'],
  }),
});
const toShown = recordOf(shownHeldMessage);

async function heldTarget(db: Reader, now: number, heldId: string) {
  const found = await load(db, 'heldMessage', heldId);
  if (found.createdAt <= now - HELD_MS) throw notFound('held message');
  const channel = await channelFacts(db, found.channelId);
  return { serverId: found.serverId, ownerId: found.creatorId, channel, found };
}

async function removeHeld(
  { db, emit }: WriteCall,
  found: RowOf<'heldMessage'>,
  outcome: 'approved' | 'rejected' | 'withdrawn',
) {
  await db.run(remove('heldMessage', { id: found.id }));
  const removed = toHeldMessage({ ...found, outcome });
  await emit(heldMessageEvents.deleted, removed);
  return removed;
}

export const heldMessageOperations = [
  read({
    operation: 'heldMessagesByServer',
    path: '/servers/:serverId/held-messages',
    tag: 'heldMessage',
    summary: "List a server's held messages",
    description:
      'Returns the newest messages first. Moderators get messages in channels that they can see, others only their own. Held messages are deleted after 14 days.',
    visible: 'member',
    answer: shownHeldMessage,
    list: 'many',
    target: serverTarget,
    async run({ db, now, principal }, input) {
      const { flags, userId } = principal;
      const rows = q
        .selectFrom('heldMessage')
        .innerJoin('channel', 'channel.id', 'heldMessage.channelId')
        .selectAll('heldMessage')
        .where('heldMessage.serverId', '=', input.params.serverId)
        .where('heldMessage.createdAt', '>', now - HELD_MS)
        .where(whereChannelVisible(principal));
      const shown = flags.has('canModerate') ? rows : rows.where('heldMessage.creatorId', '=', userId);
      return pageById(
        await db.all(rowsById(shown, input, 'desc', 'heldMessage.id')),
        input.query.limit,
        toShown,
      );
    },
  }),

  write({
    operation: 'heldMessageApprove',
    method: 'POST',
    path: '/held-messages/:id/approve',
    resource: 'heldMessage',
    verb: 'update',
    summary: 'Approve a held message',
    description:
      'Sends the message as its author, with the current permissions of the author, or of the role of the key, webhook or flow that sent it. The message gets a new id and the time of the approval.',
    answer: message,
    answers: 'message',
    target: ({ db, now }, { params }) => heldTarget(db, now, params.id),
    async run(call, _input, { found }) {
      await removeHeld(call, found, 'approved');
      return sendAs(call, found);
    },
  }),

  write({
    operation: 'heldMessageDelete',
    path: '/held-messages/:id',
    resource: 'heldMessage',
    verb: 'delete',
    summary: 'Reject or withdraw a held message',
    description: 'Moderators can reject a held message, and its author can withdraw it. The text is deleted.',
    answer: heldMessage,
    target: ({ db, now }, { params }) => heldTarget(db, now, params.id),
    async run(call, _input, { found }) {
      return removeHeld(call, found, found.creatorId === call.principal.userId ? 'withdrawn' : 'rejected');
    },
  }),
];

/**
 * Sends a message as its author. Throws the same errors as if the author sent it, except for those of slow
 * mode and word rules.
 */
async function sendAs(call: WriteCall, found: RowOf<'heldMessage'>) {
  const { db, pending, services } = call;
  const { channelId, threadId, replyToId, content, creatorId: userId, serverId, roleId } = found;
  if (roleId !== null) await load(db, 'role', roleId);
  const caller = await services.authenticator.deferredWithin(db, { userId, serverId, roleId });
  const authors = writeCallOf(services, caller, db, pending);
  const body = { channelId, content, ...(threadId && { threadId }), ...(replyToId && { replyToId }) };
  const input = { params: {}, query: {}, body, after: undefined };
  const target = await messageSend.row.target(authors, input);
  authorize(authors.principal, 'message', 'insert', target);
  requireNoTimeOut(authors.principal, messageSend.row, target, call.now);
  return messageSend.row.run(authors, input, { ...target, isApproved: true });
}
