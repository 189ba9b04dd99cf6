import { type Filled, field, filled, isGiven, needed, type StepType, type Writing } from './stepType.ts';

/** Returns the destination of a step's message, as fields of a request body. */
export async function placeOf({ direct }: Writing, step: Filled): Promise<object> {
  if (isGiven(step.channelId) || isGiven(step.threadId)) return filled(step, 'channelId', 'threadId');
  return { channelId: await direct(String(step.userId)) };
}

/** Steps for messages, their reactions, pins and threads. */
export const messageSteps = {
  'message.send': {
    words: 'Sends a message to a channel or thread',
    fields: {
      channelId: field('id', 'The channel'),
      threadId: field('id', 'The thread, instead of a channel'),
      userId: field('id', 'A person who gets a direct message, instead of a channel'),
      replyToId: field('id', 'The message that this one replies to'),
      content: needed('text', 'The text of the message'),
      blocks: field('list', 'Blocks, such as buttons'),
    },
    flags: ['canEditData'],
    problemIn: (step) =>
      isGiven(step.channelId) || isGiven(step.threadId) || isGiven(step.userId)
        ? undefined
        : { field: 'channelId', message: 'is required without threadId or userId' },
    does: 'write',
    run: async (writing, step) => {
      const to = await placeOf(writing, step);
      return writing.perform('messageSend', {
        body: { ...to, ...filled(step, 'replyToId', 'content', 'blocks') },
      });
    },
  },
  'message.update': {
    words: 'Edits a message that the flow sent',
    fields: {
      messageId: needed('id', 'The message'),
      content: needed('text', 'The new text'),
      blocks: field('list', 'The new blocks. An empty list removes them'),
    },
    flags: ['canEditData'],
    does: 'write',
    run: ({ perform }, { messageId, ...step }) =>
      perform('messageSave', { params: { id: String(messageId) }, body: filled(step, 'content', 'blocks') }),
  },
  'reaction.add': {
    words: 'Reacts to a message',
    fields: { messageId: needed('id', 'The message'), emoji: needed('text', 'The emoji') },
    flags: ['canEditData'],
    does: 'write',
    run: ({ perform }, step) => perform('reactionInsert', { body: filled(step, 'messageId', 'emoji') }),
  },
  'pin.add': {
    words: 'Pins a message',
    fields: { messageId: needed('id', 'The message') },
    flags: ['canEditChannel'],
    does: 'write',
    run: ({ perform }, step) => perform('pinInsert', { body: filled(step, 'messageId') }),
  },
  'thread.create': {
    words: 'Starts a thread on a message, or in a channel',
    fields: {
      messageId: field('id', 'The message'),
      channelId: field('id', 'The channel, if the thread has no root message'),
      title: field('text', 'The name of the thread'),
    },
    flags: ['canEditData'],
    problemIn: (step) =>
      isGiven(step.channelId) || isGiven(step.messageId)
        ? undefined
        : { field: 'messageId', message: 'is required without channelId' },
    does: 'write',
    run: ({ perform }, { title, ...step }) =>
      perform('threadInsert', {
        body: { ...filled(step, 'messageId', 'channelId'), ...(isGiven(title) && { name: title }) },
      }),
  },
} satisfies Record<string, StepType>;
