import { eventsOf } from '../../feed/eventKind.ts';
import { MAX_NAME } from '../../files/name.ts';
import { Type } from '../../lib/schema.ts';
import { id, nullable, record, text, time } from '../../operations/fields.ts';
import { recordOf } from '../common.ts';
import { content } from '../message/messageRecord.ts';

const fields = {
  serverId: id(),
  userId: id(),
  channelId: id(),
  messageId: id(),
  remindAt: nullable(time('When to remind you; null if there is no reminder, or if it was already sent')),
};

export const saved = record('Saved', fields);
export const toSaved = recordOf(saved);

export const shownSaved = record('ShownSaved', {
  ...fields,
  message: nullable(
    Type.Object(
      {
        creatorId: id(),
        threadId: nullable(id()),
        content,
        files: Type.Array(text({ min: 1, max: MAX_NAME, examples: ['harbour.jpg'] })),
        createdAt: time(),
      },
      { description: 'Null if the message was deleted, or you can no longer see it' },
    ),
  ),
});
export const toShownSaved = recordOf(shownSaved);

export const savedEvents = eventsOf(
  'saved',
  // The events are not limited to viewers of the channel, because the person may no longer see it.
  { data: saved, audience: 'person', live: 'person', addressOf: () => ({ channelId: null }) },
  {
    updated: 'You saved a message or changed its reminder, or the reminder was due',
    deleted: 'You removed a saved message',
  },
);
