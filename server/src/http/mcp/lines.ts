import { blockText } from '../../lib/text/blockText.ts';

/**
 * Maximum characters of a message's text in a list. Longer messages are truncated; `read_message` returns the
 * whole text.
 */
const MAX_LISTED_CHARACTERS = 500;
const MAX_NAME_CHARACTERS = 40;

/** The fields of a message that are shown as lines. */
export interface Message {
  id: string;
  createdAt: number;
  channelId: string;
  creatorId: string;
  content: string;
  editedAt?: number | null;
  threadId?: string | null;
  replyToId?: string | null;
  pinned?: boolean;
  stream?: string | null;
  reactions?: readonly { emoji: string; count: number }[];
  attachments?: readonly { id: string; name: string }[];
  blocks?: Parameters<typeof blockText>[0];
}

/** Users by id; only members of the caller's server (see `usersFrom`). */
export type Users = Readonly<Record<string, { name?: string; username?: string | undefined } | undefined>>;

/** Puts text on one line, because a line break or control character could make it look like two lines. */
export const onOneLine = (text: string, max = MAX_NAME_CHARACTERS): string =>
  cut(text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim(), max);

/** Truncates to `max` characters without splitting a surrogate pair. */
const cut = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '')}…`;

/** Matches line breaks and control characters. Most texts have none. */
const special = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** Indents all lines of text except the first, so that none of them looks like the next message. */
const indented = (text: string): string =>
  special.test(text)
    ? text.replaceAll(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/g, '\n  ').replaceAll(/[^\P{Cc}\n\t]/gu, '')
    : text;

/** Prepares the profiles for lines once per page, by id, because a page has many messages from few users. */
export const usersFrom = (profiles: Readonly<Record<string, object>>): Users =>
  Object.fromEntries(
    Object.entries(profiles as Users).map(([id, user]) => [
      id,
      { name: onOneLine(user?.name ?? ''), username: user?.username },
    ]),
  );

export const nameOf = (users: Users, id: string | null): string =>
  (id !== null && users[id]?.name) || 'unknown user';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const twoDigits = (number: number): string => String(number).padStart(2, '0');

/** Formats the time of day, in UTC. Takes milliseconds since the Unix epoch. */
export function clock(at: number): string {
  const minutes = Math.floor((((at % DAY_MS) + DAY_MS) % DAY_MS) / MINUTE_MS);
  return `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}
const day = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Returns the text of a message, or of its blocks if it has none. */
const textOf = ({ content, blocks }: Message): string => content || blockText(blocks);

/**
 * Formats a message, for example as `[12:30] Ada (id 0193…): Hello`. The parentheses also contain its thread,
 * reply, edit and pin, if any. Its files and reactions follow the text.
 */
export function messageLine(message: Message, users: Users, max = MAX_LISTED_CHARACTERS): string {
  const { id, createdAt, creatorId, threadId, replyToId, editedAt, pinned, stream } = message;
  const facts = [
    `id ${id}`,
    threadId && `thread ${threadId}`,
    replyToId && `reply to ${replyToId}`,
    editedAt && 'edited',
    pinned && 'pinned',
    stream === 'open' && 'still being written',
  ].filter(Boolean);
  const { reactions = [], attachments = [] } = message;
  const rest = [
    ...attachments.map(({ name }) => ` [file: ${onOneLine(name)}]`),
    ...(reactions.length > 0
      ? [` {${reactions.map(({ emoji, count }) => `${onOneLine(emoji)} ${count}`).join(', ')}}`]
      : []),
  ];
  return `[${clock(createdAt)}] ${nameOf(users, creatorId)} (${facts.join(', ')}): ${indented(cut(textOf(message), max))}${rest.join('')}`;
}

/**
 * Formats messages as lines, with a heading for each day and, if they are from several channels, for each
 * channel.
 */
export function messageLines(messages: readonly Message[], users: Users, withChannels = false): string[] {
  const lines: string[] = [];
  let [lastDay, lastChannel] = [Number.NaN, ''];
  for (const message of messages) {
    const { createdAt, channelId } = message;
    const ofDay = Math.floor(createdAt / DAY_MS);
    if (ofDay !== lastDay || (withChannels && channelId !== lastChannel))
      lines.push(`${day(createdAt)} UTC${withChannels ? `, channel ${channelId}` : ''}:`);
    lines.push(messageLine(message, users));
    [lastDay, lastChannel] = [ofDay, channelId];
  }
  return lines;
}

interface Showing {
  /** Maximum characters. */
  max?: number;
  /** Whether to show the channel of each message. */
  withChannels?: boolean;
}

/**
 * Converts a message to structured content. Omits empty fields, and identifies authors by username instead of
 * id, because some clients also pass this to models and an id takes 20 tokens.
 */
export const structuredMessage = (
  message: Message,
  users: Users,
  { max = MAX_LISTED_CHARACTERS, withChannels = false }: Showing = {},
): object => {
  const { id, createdAt, channelId, creatorId, threadId, replyToId, editedAt, pinned } = message;
  const { reactions = [], attachments = [], stream } = message;
  return {
    id,
    at: createdAt,
    author: nameOf(users, creatorId),
    username: users[creatorId]?.username ?? null,
    text: cut(textOf(message), max),
    ...(withChannels && { channelId }),
    ...(threadId && { threadId }),
    ...(replyToId && { replyToId }),
    ...(editedAt && { edited: true }),
    ...(pinned && { pinned }),
    ...(stream === 'open' && { stream }),
    ...(reactions.length > 0 && { reactions }),
    ...(attachments.length > 0 && { files: attachments.map(({ id, name }) => ({ id, name })) }),
  };
};
