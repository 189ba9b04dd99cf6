import { eventsOf } from '../../feed/eventKind.ts';
import { Type } from '../../lib/schema.ts';
import { id, nullable, record, text, time } from '../../operations/fields.ts';
import { recordOf } from '../common.ts';
import { content } from '../message/messageRecord.ts';

const fields = {
  serverId: id(),
  userId: id(),
  channelId: id(),
  threadId: nullable(id('The thread in which the message will be sent')),
  replyToId: nullable(id('The message that this one will reply to')),
  dueAt: time('When the message is sent'),
  failedAt: nullable(time('When sending failed; null while it is waiting')),
  failure: nullable(
    text({ max: 1_000, description: 'Why sending failed', examples: ['you cannot see this channel'] }),
  ),
};

/**
 * The response to writes. It does not contain the text, because responses are stored for an
 * `Idempotency-Key`.
 */
export const scheduledMessage = record('ScheduledMessage', fields);

/** The response to reads, and the data of live events. */
export const shownScheduled = record('ShownScheduledMessage', { ...fields, content });
export const toScheduled = recordOf(shownScheduled);

/** The response to sending a scheduled message. */
export const sentMessage = Type.Object(
  { messageId: id(), channelId: id(), serverId: id() },
  { $id: 'SentMessage', title: 'SentMessage', additionalProperties: false },
);

export const scheduledMessageEvents = eventsOf(
  'scheduledMessage',
  // The events are not limited to viewers of the channel, because the person may no longer see it.
  { data: shownScheduled, audience: 'person', live: 'person', addressOf: () => ({ channelId: null }) },
  {
    updated: 'You scheduled or changed a message, or it could not be sent',
    deleted: 'A scheduled message was sent, or you deleted it',
  },
);
