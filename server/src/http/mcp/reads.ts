import { invalid } from '../../errors.ts';
import { idBefore, isId } from '../../lib/deps.ts';
import { scopeOf } from '../../operations/cursor.ts';
import { API_PREFIX } from '../../operations/operation.ts';
import type { Services } from '../../operations/services.ts';
import { id, integer, text } from './fields.ts';
import { type Message, messageLine, messageLines, onOneLine, structuredMessage } from './lines.ts';
import { type Found, given, type Shown, serverOf, type Tool } from './tool.ts';

const PAGE = '50';
const LARGEST_PAGE = '100';
/** The maximum length of a message: a single message is never truncated. */
const WHOLE = 8_000;

export const reads: readonly Tool[] = [
  {
    name: 'whoami',
    description: 'Get the user you act as, the server, and your permissions.',
    operation: 'userMe',
    fields: {},
    output: { user: 'object', server: 'object', flags: 'array' },
    effect: 'read',
    input: () => ({ params: {} }),
    show: ({ data: { id, name, username, type, server, flags, grant } }) => ({
      lines: [
        `You are ${onOneLine(name)} (@${username}, ${type}, id ${id}) in ${onOneLine(server.name)} (server ${server.id}).`,
        flags.length > 0 ? `You have: ${flags.join(', ')}.` : 'You have no further permissions.',
        ...(grant ? [`This access expires at ${new Date(grant.expiresAt).toISOString()}.`] : []),
      ],
      structured: {
        user: { id, name, username, type },
        server: { id: server.id, name: server.name },
        flags,
      },
    }),
  },
  {
    name: 'list_channels',
    description: 'List the channels you can see.',
    operation: 'channelsByServer',
    fields: {},
    output: { channels: 'array' },
    effect: 'read',
    pages: 5,
    input: (_args, caller) => ({ params: serverOf(caller), query: { limit: LARGEST_PAGE } }),
    show({ data, next }) {
      const channels = (data as Channel[]).map(({ id, name, description, private: isPrivate }) => ({
        id,
        name,
        ...(description && { description: onOneLine(description, 150) }),
        ...(isPrivate && { private: true }),
      }));
      const lines = channels.map(
        ({ id, name, description, private: isPrivate }) =>
          `#${onOneLine(name, 100)} (id ${id}${isPrivate ? ', private' : ''})${description ? `: ${description}` : ''}`,
      );
      return { lines: ended(lines, next, 'There are more channels.'), structured: { channels } };
    },
  },
  {
    name: 'read_channel',
    description: 'Read the latest messages of a channel, oldest first.',
    operation: 'channelMessages',
    fields: {
      channelId: id,
      limit: integer(1, 100, 'Default 50'),
      before: text('A message id: read the messages before it'),
    },
    optional: ['limit', 'before'],
    output: { messages: 'array', before: 'string' },
    effect: 'read',
    input: ({ channelId, limit = PAGE, before }, _caller, services) => ({
      params: given({ channelId }),
      query: given({ limit, cursor: cursorBefore(services, String(channelId), before) }),
    }),
    show({ data, next, users }) {
      const messages = (data as Message[]).toReversed();
      const before = next === null ? undefined : (messages[0]?.id ?? next);
      const { lines, structured } = listed(messages, users);
      return {
        lines: before ? [...lines, `Older messages: read_channel with before=${before}`] : lines,
        structured: { ...structured, ...(before && { before }) },
      };
    },
  },
  {
    name: 'read_thread',
    description: 'Read a thread.',
    operation: 'threadWithMessages',
    fields: { threadId: id },
    output: { thread: 'object', messages: 'array' },
    effect: 'read',
    input: ({ threadId }) => ({ params: given({ threadId }), query: { limit: LARGEST_PAGE } }),
    show({ data: { id, name, channelId, messageId, locked, replyCount, messages }, next, users }) {
      const { lines, structured } = listed(messages, users);
      const root = messageId === null ? '' : `, started at message ${messageId}`;
      const title = `Thread ${name === null ? '' : `"${onOneLine(name, 100)}" `}(id ${id}, channel ${channelId}${root}${locked ? ', locked' : ''}), ${replyCount} replies:`;
      const more = 'Later replies are not shown. Read them with read_channel.';
      return {
        lines: ended([title, ...lines], next, more),
        structured: { thread: { id, name, channelId, messageId, locked, replyCount }, ...structured },
      };
    },
  },
  {
    name: 'read_message',
    description: 'Read a message in full.',
    operation: 'messageById',
    fields: { messageId: id },
    output: { message: 'object' },
    effect: 'read',
    input: ({ messageId }) => ({ params: given({ messageId }) }),
    show: ({ data, users }) => ({
      lines: [
        `${new Date(data.createdAt).toISOString().slice(0, 10)} UTC, channel ${data.channelId}:`,
        messageLine(data, users, WHOLE),
      ],
      structured: { message: structuredMessage(data, users, { max: WHOLE, withChannels: true }) },
    }),
  },
  {
    name: 'search',
    description: 'Search messages, newest first: words, beginnings of words, "quoted phrases".',
    operation: ({ channelId }) => (channelId === undefined ? 'serverMessages' : 'channelMessages'),
    fields: { q: text(), channelId: id },
    optional: ['channelId'],
    output: { messages: 'array' },
    effect: 'read',
    input({ q, channelId }, caller) {
      // Without words, a search in a channel would list all its messages.
      if (String(q).trim() === '') throw invalid('blank', 'q', 'must contain a word to search for');
      const params = channelId === undefined ? serverOf(caller) : given({ channelId });
      return { params, query: given({ q, limit: PAGE }) };
    },
    show({ data, next, users }) {
      const { lines, structured } = listed(data, users, true);
      return { lines: ended(lines, next, 'There are more matches. Search for more words.'), structured };
    },
  },
  {
    name: 'list_members',
    description: 'List members of the server.',
    operation: 'serverMembers',
    fields: { q: text('Beginning of a name or username') },
    optional: ['q'],
    output: { members: 'array' },
    effect: 'read',
    input: ({ q }, caller) => ({ params: serverOf(caller), query: given({ q, limit: LARGEST_PAGE }) }),
    show({ data, next }) {
      const members = (data as Member[]).map(({ userId, nickname, user: { name, username, type } }) => ({
        id: userId,
        name: nickname ?? name,
        username,
        type,
      }));
      const lines = members.map(
        ({ id, name, username, type }) =>
          `${onOneLine(name)} (@${username}${type === 'agent' ? ', agent' : ''}, id ${id})`,
      );
      return {
        lines: ended(lines, next, 'There are more members. Narrow the list with q.'),
        structured: { members },
      };
    },
  },
];

interface Channel {
  id: string;
  name: string;
  description: string | null;
  private: boolean;
}

interface Member {
  userId: string;
  nickname: string | null;
  user: { name: string; username: string; type: string };
}

const listed = (messages: readonly Message[], users: Found['users'], withChannels = false): Shown => ({
  lines: messages.length > 0 ? messageLines(messages, users, withChannels) : ['No messages.'],
  structured: { messages: messages.map((message) => structuredMessage(message, users, { withChannels })) },
});

/** Returns the lines of a list, with a final line if there are more pages. */
const ended = (lines: readonly string[], next: string | null, more: string): readonly string[] =>
  next === null ? (lines.length > 0 ? lines : ['None.']) : [...lines, more];

/**
 * Returns the cursor for the messages before `before`, which is a message's id or the cursor from an empty
 * page.
 */
function cursorBefore(
  { cursors }: Pick<Services, 'cursors'>,
  channelId: string,
  before: string | number | readonly string[] | undefined,
): string | undefined {
  if (before === undefined || !isId(String(before))) return before?.toString();
  const path = `${API_PREFIX}/channels/${encodeURIComponent(channelId)}/messages`;
  return cursors.encode(scopeOf(path, {}, []), [idBefore(String(before))]);
}
