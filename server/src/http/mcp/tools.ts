import type { Caller } from '../../access/authenticator.ts';
import type { Reader } from '../../db/contract.ts';
import { find } from '../../db/statements.ts';
import { notFound } from '../../errors.ts';
import { isId } from '../../lib/deps.ts';
import type { RawInput } from '../../operations/operation.ts';

/** The arguments of a call: texts and numbers, as `fields` describes them. */
export type Arguments = Readonly<Record<string, string | number | undefined>>;

/** A tool that models call: another form of one operation. */
export interface Tool {
  name: string;
  description: string;
  operation: string;
  /** The JSON schemas of the arguments; all but `optional` are required. */
  fields: Readonly<Record<string, object>>;
  optional?: readonly string[];
  readOnly?: true;
  /** The input of the operation. */
  input(args: Arguments, caller: Caller, db: Reader): RawInput | Promise<RawInput>;
}

const text = (description: string) => ({ type: 'string', maxLength: 8_000, description });
const id = (description: string) => ({ type: 'string', maxLength: 36, description });

const channelId = id('From list_channels');
const messageId = id('The id of a message');
const content = text('Markdown; @username mentions somebody');
/** Makes a repeated call have no further effect. */
const requestKey = {
  ...text('A new random text for each message. Repeat it if you repeat the call'),
  maxLength: 255,
};
const limit = { type: 'integer', minimum: 1, maximum: 100, description: 'How many, 50 if omitted' };

const given = (fields: Arguments): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
const serverOf = ({ principal: { serverId } }: Caller) => ({ serverId: serverId as string });

export const tools: readonly Tool[] = [
  {
    name: 'whoami',
    description: 'Get the user as whom you act.',
    operation: 'userById',
    fields: {},
    readOnly: true,
    input: (_args, { principal: { userId } }) => ({ params: { userId } }),
  },
  {
    name: 'list_channels',
    description: 'List the channels that you can see.',
    operation: 'channelsByServer',
    fields: { limit },
    optional: ['limit'],
    readOnly: true,
    input: ({ limit }, caller) => ({ params: serverOf(caller), query: given({ limit }) }),
  },
  {
    name: 'read_channel',
    description: 'Read the messages of a channel, newest first.',
    operation: 'channelMessages',
    fields: {
      channelId,
      limit,
      before: { type: 'integer', minimum: 0, description: 'Only messages before this time, in milliseconds' },
    },
    optional: ['limit', 'before'],
    readOnly: true,
    input: ({ channelId, limit, before }) => ({
      params: given({ channelId }),
      query: given({ limit, before }),
    }),
  },
  {
    name: 'read_thread',
    description: 'Read a thread with its messages.',
    operation: 'threadWithMessages',
    fields: { threadId: id('The threadId of a message') },
    readOnly: true,
    input: ({ threadId }) => ({ params: given({ threadId }) }),
  },
  {
    name: 'read_message',
    description: 'Read one message.',
    operation: 'messageById',
    fields: { messageId },
    readOnly: true,
    input: ({ messageId }) => ({ params: given({ messageId }) }),
  },
  {
    name: 'search',
    description: 'Search the messages of the server: words, beginnings of words, or quoted phrases.',
    operation: 'serverMessages',
    fields: { q: { ...text('The words'), maxLength: 200 }, limit },
    optional: ['limit'],
    readOnly: true,
    input: ({ q, limit }, caller) => ({ params: serverOf(caller), query: given({ q, limit }) }),
  },
  {
    name: 'send',
    description: 'Send a message to a channel.',
    operation: 'messageSend',
    fields: { channelId, content, requestKey },
    input: ({ channelId, content }) => ({ body: { channelId, content } }),
  },
  {
    name: 'reply',
    description: 'Reply to a message, in its thread or channel.',
    operation: 'messageSend',
    fields: { messageId, content, requestKey },
    async input({ messageId, content }, _caller, db) {
      const found = isId(String(messageId)) && (await db.first(find('message', { id: String(messageId) })));
      if (!found) throw notFound('message');
      // Sending checks whether the caller sees the channel.
      const { channelId, threadId } = found;
      return { body: { channelId, replyToId: messageId, content, ...(threadId !== null && { threadId }) } };
    },
  },
  {
    name: 'react',
    description: 'Add a reaction to a message.',
    operation: 'reactionInsert',
    fields: { messageId, emoji: text('An emoji') },
    input: ({ messageId, emoji }) => ({ body: { messageId, emoji } }),
  },
  {
    name: 'edit',
    description: 'Replace the content of a message of your own.',
    operation: 'messageSave',
    fields: { messageId, content },
    input: ({ messageId, content }) => ({ params: { id: String(messageId) }, body: { content } }),
  },
  {
    name: 'start_thread',
    description: 'Start a thread at a message.',
    operation: 'threadInsert',
    fields: { messageId, name: text('The title') },
    input: ({ messageId, name }) => ({ body: { messageId, name } }),
  },
  {
    name: 'pin',
    description: 'Pin a message.',
    operation: 'pinInsert',
    fields: { messageId },
    input: ({ messageId }) => ({ body: { messageId } }),
  },
  {
    name: 'list_members',
    description: 'List the members of the server.',
    operation: 'serverMembers',
    fields: { q: { ...text('The beginning of a name or username'), maxLength: 100 }, limit },
    optional: ['q', 'limit'],
    readOnly: true,
    input: ({ q, limit }, caller) => ({ params: serverOf(caller), query: given({ q, limit }) }),
  },
];

/** A tool as `tools/list` describes it. */
export const shownTool = ({ name, description, fields, optional = [], readOnly }: Tool): object => ({
  name,
  description,
  inputSchema: {
    type: 'object',
    properties: fields,
    required: Object.keys(fields).filter((field) => !optional.includes(field)),
    additionalProperties: false,
  },
  annotations: { readOnlyHint: readOnly === true, destructiveHint: false, openWorldHint: false },
});
