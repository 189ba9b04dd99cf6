import { eventsOf } from '../../../feed/eventKind.ts';
import { Type } from '../../../lib/schema.ts';
import { count, id, nullable, text } from '../../../operations/fields.ts';

/** Maximum length of a message's text, in characters (code points). */
export const MAX_TEXT = 8_000;

export const offset = count('The length of the text so far, in UTF-16 code units', 12);

const messageDelta = Type.Object(
  {
    messageId: id(),
    channelId: id(),
    threadId: nullable(id('The thread that the message is a reply in; null for other messages')),
    offset,
    text: text({ max: MAX_TEXT, description: 'The appended text', examples: [' in the harbour'] }),
  },
  { $id: 'MessageDelta', title: 'MessageDelta', additionalProperties: false },
);

/** The response to appending. */
export const appended = Type.Object(
  {
    id: id('The message'),
    offset: count('The length of the text so far, in UTF-16 code units: the next `offset`', 27),
  },
  { $id: 'Appended', title: 'Appended', additionalProperties: false },
);

export const messageDeltaEvents = eventsOf(
  'messageDelta',
  { data: messageDelta, audience: 'channel', live: 'plain' },
  { appended: 'Text was appended to a message that is being streamed' },
);
