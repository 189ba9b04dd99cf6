import { find } from '../../db/statements.ts';
import { notFound } from '../../errors.ts';
import { isId } from '../../lib/deps.ts';
import { content, id, requestKey, text } from './fields.ts';
import type { Tool } from './tool.ts';

/** Returns the result of a change: one line with the id, and the id as structured content. */
const done =
  (words: string): Tool['show'] =>
  ({ data: { id } }) => ({ lines: [`${words} (id ${id}).`], structured: { id } });

/** Shows the result of sending a message, which a word rule may hold. */
const sent: Tool['show'] = (found) =>
  found.data.held
    ? {
        lines: ['Not sent yet: a moderator must approve it first. Do not send it again.'],
        structured: { held: true },
      }
    : done('Sent')(found);

const output: Tool['output'] = { id: 'string' };

export const writes: readonly Tool[] = [
  {
    name: 'send',
    description: 'Send a message to a channel.',
    operation: 'messageSend',
    fields: { channelId: id, content, requestKey },
    output,
    effect: 'add',
    input: ({ channelId, content }) => ({ body: { channelId, content } }),
    show: sent,
  },
  {
    name: 'reply',
    description: 'Reply to a message, in its thread or channel.',
    operation: 'messageSend',
    fields: { messageId: id, content, requestKey },
    output,
    effect: 'add',
    async input({ messageId, content }, _caller, { db }) {
      const id = String(messageId);
      const found = isId(id) && (await db.read.first(find('message', { id })));
      if (!found) throw notFound('message');
      // The send checks whether the caller can see the channel.
      const { channelId, threadId } = found;
      return { body: { channelId, replyToId: id, content, ...(threadId !== null && { threadId }) } };
    },
    show: sent,
  },
  {
    name: 'react',
    description: 'Add a reaction.',
    operation: 'reactionInsert',
    fields: { messageId: id, emoji: text() },
    output,
    effect: 'add',
    input: ({ messageId, emoji }) => ({ body: { messageId, emoji } }),
    show: done('Reacted'),
  },
  {
    name: 'edit',
    description: 'Replace the content of your own message.',
    operation: 'messageSave',
    fields: { messageId: id, content },
    output,
    effect: 'replace',
    input: ({ messageId, content }) => ({ params: { id: String(messageId) }, body: { content } }),
    show: done('Edited'),
  },
  {
    name: 'start_thread',
    description: 'Start a thread on a message.',
    operation: 'threadInsert',
    fields: { messageId: id, name: text() },
    output,
    effect: 'add',
    idempotent: false,
    input: ({ messageId, name }) => ({ body: { messageId, name } }),
    show: done('Started the thread'),
  },
  {
    name: 'pin',
    description: 'Pin a message.',
    operation: 'pinInsert',
    fields: { messageId: id },
    output,
    effect: 'add',
    input: ({ messageId }) => ({ body: { messageId } }),
    show: done('Pinned'),
  },
];
