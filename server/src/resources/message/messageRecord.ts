import type { Static } from 'typebox';
import { invalid } from '../../errors.ts';
import { eventsOf } from '../../feed/eventKind.ts';
import { isVisible } from '../../lib/names.ts';
import { Type } from '../../lib/schema.ts';
import { count, flag, id, nullable, oneOf, record, text, time } from '../../operations/fields.ts';
import { shownAttachment } from '../attached.ts';
import { recordOf } from '../common.ts';
import { shownBlocks } from './blocks/blocks.ts';

/** Maximum characters in a message. */
export const MAX_CHARACTERS = 8_000;

export const content = text({
  max: MAX_CHARACTERS,
  description:
    'CommonMark with ~~strikethrough~~; line breaks are kept. Without files and blocks, it needs a visible character',
  examples: ['Hello, **world**'],
});

/** Throws INVALID_REQUEST for a message that has neither visible content nor files or blocks. */
export function requireVisible(content: string | undefined, hasMore: boolean): void {
  if (hasMore) return;
  if (content === undefined)
    throw invalid('missing', 'content', 'is required, unless the message has files or blocks');
  if (!isVisible(content))
    throw invalid(
      'blank',
      'content',
      'must have a visible character, unless the message has files or blocks',
    );
}
export const messageType = oneOf(
  ['person', 'agent', 'system'],
  'The type of its author; `system` for notices from the server',
);

const fields = {
  serverId: id(),
  type: messageType,
  channelId: id(),
  isThreadReply: flag(),
  creatorId: id(),
  content,
};
const deleted = flag('Always false: deleted messages are not returned');

/** The response to writes: the ten fields in the specification (part 2.2), and `held`. */
export const message = record('Message', {
  ...fields,
  deleted,
  held: Type.Optional(
    Type.Boolean({
      description:
        'True if the message is held for approval by a moderator; otherwise absent. Only you and moderators can see a held message, and `id` is the id of the held message',
      // Examples of messages omit this field.
      examples: [],
    }),
  ),
});

const shownFields = {
  ...fields,
  deleted,
  editedAt: nullable(time('When its content was last edited')),
  threadId: nullable(id('The thread that the message is a reply in; null for other messages')),
  replyToId: nullable(id('The message that this one replies to')),
  pinned: flag(),
  reactions: Type.Array(
    Type.Object({ emoji: text({ max: 64, examples: ['👍'] }), count: count(undefined, 2) }),
  ),
  stream: nullable(
    oneOf(
      ['open', 'done', 'stopped'],
      '`open` while a streamed message is incomplete, `done` once it is complete, `stopped` if it ended early. Null for other messages',
    ),
  ),
};

/** The response to reads. */
export const shownMessage = record('ShownMessage', {
  ...shownFields,
  attachments: Type.Optional(
    Type.Array(shownAttachment, {
      description: "The files of the message, in the sender's order; absent if there are none",
    }),
  ),
  blocks: Type.Optional(shownBlocks),
  redacted: Type.Optional(
    Type.Boolean({
      description:
        'True if `content` is not what it was at the time of the event; otherwise absent. Only in events. The content is empty if the message was deleted, or the current content if the message was edited and you cannot see earlier versions',
      // Examples of messages omit this field.
      examples: [],
    }),
  ),
  finished: Type.Optional(
    Type.Boolean({
      description:
        'True if the message was streamed and this is the first event with its text; otherwise absent. Only in events',
      examples: [],
    }),
  ),
});
type ShownMessage = Static<typeof shownMessage>;

const toPlain = recordOf(record('', shownFields));

/** Converts a row to a message as reads return it. */
export function toMessage(row: object): ShownMessage {
  const { attachments, blocks } = row as {
    attachments?: ShownMessage['attachments'] | null;
    blocks?: ShownMessage['blocks'] | null;
  };
  const plain = toPlain(row);
  return attachments || blocks
    ? { ...plain, ...(attachments && { attachments }), ...(blocks && { blocks }) }
    : plain;
}

export const messageEvents = eventsOf(
  'message',
  { data: shownMessage, audience: 'channel' },
  {
    created: 'A message was sent',
    updated:
      'A message was edited, pinned or unpinned, or somebody reacted to it or made a decision on its approval',
    deleted: 'A message was deleted. Its `content` is empty, and `attachments` and `blocks` are missing',
  },
);
