import { conditions, requireCondition } from '../access/conditions.ts';
import type { RowOf } from '../db/schema.ts';
import { find, insert, q, remove, update } from '../db/statements.ts';
import { invalid } from '../errors.ts';
import { eventsOf } from '../feed/eventKind.ts';
import { canonicalEmoji } from '../lib/emoji.ts';
import { Type } from '../lib/schema.ts';
import { body, id, optional, record, reference, text } from '../operations/fields.ts';
import { read } from '../operations/read.ts';
import type { Work } from '../operations/work.ts';
import { write } from '../operations/write.ts';
import { load, recordOf } from './common.ts';
import { listById } from './lists.ts';
import { isInLockedThread, messageTarget } from './message/load.ts';
import { messageEvents, toMessage } from './message/messageRecord.ts';
import { notifyReaction, reactionNotice, withdrawReaction } from './message/notifyReaction.ts';
import { requireReachable } from './reachable.ts';

/** Maximum different emoji per message, because each read of the message returns all of them. */
export const MAX_EMOJI = 50;

/** Maximum characters in an emoji or its name. */
export const MAX_EMOJI_CHARACTERS = 64;

const emoji = text({
  min: 1,
  max: MAX_EMOJI_CHARACTERS,
  description:
    'An emoji or its name, such as `:party_parrot:` for a custom emoji. The same emoji with and without variation selectors is the same reaction',
  examples: ['👍'],
});

const reaction = record('Reaction', {
  serverId: id(),
  channelId: id(),
  messageId: id(),
  userId: id(),
  emoji,
});
const toReaction = recordOf(reaction);

export const reactionEvents = eventsOf(
  'reaction',
  { data: reaction, audience: 'channel' },
  { created: 'A user reacted to a message', deleted: 'A reaction was removed, or its message was deleted' },
);

export const reactionOperations = [
  read({
    operation: 'reactionsByMessageId',
    path: '/messages/:messageId/reactions',
    tag: 'reaction',
    summary: "List a message's reactions",
    visible: 'channel',
    query: Type.Object({
      emoji: optional(
        text({ max: MAX_EMOJI_CHARACTERS, description: 'Only reactions with this emoji', examples: ['👍'] }),
      ),
    }),
    answer: reaction,
    list: 'many',
    target: ({ db }, { params }) => messageTarget(db, params.messageId),
    async run({ db }, input) {
      let rows = q.selectFrom('reaction').selectAll().where('messageId', '=', input.params.messageId);
      if (input.query.emoji !== undefined) rows = rows.where('emoji', '=', canonicalEmoji(input.query.emoji));
      return listById(db, rows, input, toReaction);
    },
  }),

  write({
    operation: 'reactionInsert',
    path: '/reactions',
    resource: 'reaction',
    verb: 'insert',
    summary: 'React to a message',
    body: body({ messageId: reference(), emoji }),
    answer: reaction,
    async existing({ db, principal: { userId } }, { body: { messageId, emoji: given } }) {
      const emoji = canonicalEmoji(given);
      const [{ serverId, channel }, found] = await Promise.all([
        messageTarget(db, messageId),
        db.first(find('reaction', { messageId, userId, emoji })),
      ]);
      return found && { id: found.id, serverId, channel, visible: 'channel' };
    },
    target: ({ db }, { body }) => messageTarget(db, body.messageId),
    async run(call, { body }, { serverId, channel, message }) {
      const { db, newRow, principal } = call;
      const emoji = canonicalEmoji(body.emoji);
      const [isLocked, notice] = await Promise.all([
        isInLockedThread(db, message),
        reactionNotice(db, message, channel, principal.userId),
      ]);
      requireCondition(principal, conditions.lockedThread, { isLocked, operation: 'reaction insert' });
      await requireReachable(db, principal, channel);
      if (message.reactions.length >= MAX_EMOJI && !message.reactions.some((one) => one.emoji === emoji)) {
        throw invalid('too_many', 'emoji', `a message can have at most ${MAX_EMOJI} different emoji`);
      }
      const row = {
        ...newRow(),
        serverId,
        channelId: channel.id,
        messageId: message.id,
        userId: principal.userId,
        emoji,
      };
      await db.run(insert('reaction', row));
      await call.emit(reactionEvents.created, toReaction(row));
      await count(call, message, emoji, 1);
      await notifyReaction(call, notice, message, principal.userId);
      return toReaction(row);
    },
  }),

  write({
    operation: 'reactionDelete',
    path: '/reactions/:id',
    resource: 'reaction',
    verb: 'delete',
    summary: 'Remove a reaction',
    answer: reaction,
    async target({ db }, { params }) {
      const found = await load(db, 'reaction', params.id);
      return { ...(await messageTarget(db, found.messageId)), ownerId: found.userId, reaction: found };
    },
    run: (call, _input, { message, reaction: found }) => removeReaction(call, message, found),
  }),
];

/** Removes a reaction from its message. Returns its record. */
export async function removeReaction(work: Work, message: RowOf<'message'>, found: RowOf<'reaction'>) {
  await work.db.run(remove('reaction', { id: found.id }));
  await work.emit(reactionEvents.deleted, toReaction(found));
  await count(work, message, found.emoji, -1);
  await withdrawReaction(work, found, message.creatorId);
  return toReaction(found);
}

/** Updates the counts in the message's `reactions`, which are ordered by first use. */
async function count(
  { db, emit }: Work,
  message: RowOf<'message'>,
  emoji: string,
  change: 1 | -1,
): Promise<void> {
  const reactions = counted(message.reactions, emoji, change);
  await db.run(update('message', message.id, { reactions }));
  await emit(messageEvents.updated, toMessage({ ...message, reactions }));
}

/** Returns the counts after a reaction was added or removed. */
export function counted(
  before: RowOf<'message'>['reactions'],
  emoji: string,
  change: 1 | -1,
): RowOf<'message'>['reactions'] {
  const isUsed = before.some((reaction) => reaction.emoji === emoji);
  return (isUsed ? before : [...before, { emoji, count: 0 }])
    .map((reaction) => (reaction.emoji === emoji ? { emoji, count: reaction.count + change } : reaction))
    .filter((reaction) => reaction.count > 0);
}
