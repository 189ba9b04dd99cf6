import { conditions, requireCondition } from '../../access/conditions.ts';
import { update } from '../../db/statements.ts';
import { invalid } from '../../errors.ts';
import { body, optional, reference } from '../../operations/fields.ts';
import { write } from '../../operations/write.ts';
import { alters, touched } from '../common.ts';
import { requireReachable } from '../reachable.ts';
import { heldBy, wordRulesVersion } from '../wordRule/rules.ts';
import { blocks } from './blocks/blocks.ts';
import { changedBlocks, storedBlocks, textIn } from './blocks/stored.ts';
import { isInLockedThread, messageTarget, threadsNamedBy } from './load.ts';
import { content, message, messageEvents, requireVisible, toMessage } from './messageRecord.ts';
import { amend, amendmentOf } from './notify.ts';
import { previewsLeft, previewsOf, removePictures, wantPreviews } from './previews/want.ts';
import { keepVersion } from './versions.ts';

export const messageSave = write({
  operation: 'messageSave',
  path: '/messages/:id',
  resource: 'message',
  verb: 'update',
  summary: 'Edit a message',
  description:
    'Updates `content` and `editedAt`. Notifies users that the edit mentions for the first time, and withdraws notifications for mentions by name that it removes. A change to `blocks` alone leaves `editedAt` unchanged. An empty list of `blocks` also removes link previews.',
  body: body({ id: optional(reference()), content: optional(content), blocks: optional(blocks) }),
  examples: {
    'The text': { content: 'Hello, **world**' },
    'The blocks': { blocks: [{ type: 'context', text: 'Approved' }] },
  },
  answer: message,
  check({ body }) {
    if (body.content === undefined && body.blocks === undefined)
      throw invalid('missing', 'content', 'is required without blocks');
  },
  async target({ db, principal }, { params: { id } }) {
    // These reads start together, to share a round trip to PostgreSQL.
    const [target, threads, words] = await Promise.all([
      messageTarget(db, id),
      threadsNamedBy(db, id),
      wordRulesVersion(db, principal.serverId),
    ]);
    return { ...target, threads, words: target.channel.memberIds ? undefined : words };
  },
  async run(call, { body }, { message: found, channel, threads, words }) {
    const { db, emit, now, principal } = call;
    await requireReachable(db, principal, channel);
    const { content = found.content } = body;
    const shown =
      body.blocks === undefined
        ? previewsLeft(found, content)
        : await changedBlocks(call, body.blocks, found, channel);
    const after = shown === undefined ? storedBlocks(found) : (shown ?? []);
    if (found.stream === 'open') throw invalid('wrong_kind', 'id', 'is still being streamed');
    requireVisible(content, (found.attachments ?? []).length > 0 || after.length > 0);
    const isLocked = await isInLockedThread(db, found);
    requireCondition(principal, conditions.lockedThread, { isLocked, operation: 'message update' });
    const changes = { content, ...(shown !== undefined && { blocks: shown }) };
    if (!alters(found, changes)) return toMessage(found);
    const isReworded = content !== found.content;
    const text = `${isReworded ? content : ''}\n${textIn(shown)}`;
    await heldBy(call, { version: words, text }, 'message update');
    const updatedAt = touched(found, now);
    const amendment = isReworded
      ? await amendmentOf(call, found, content, channel, principal.userId)
      : undefined;
    const set = { ...changes, ...(isReworded && { editedAt: updatedAt }), updatedAt };
    if (isReworded) await keepVersion(call, found, updatedAt);
    await db.run(update('message', found.id, set));
    if (shown !== undefined) await removePictures(call, previewsOf(found) ?? [], previewsOf(set) ?? []);
    const edited = toMessage({ ...found, ...set });
    await emit(messageEvents.updated, edited, { known: { threads } });
    if (amendment) await amend(call, amendment, found);
    if (isReworded) await wantPreviews(call, { ...found, ...set }, found.content);
    return edited;
  },
});
