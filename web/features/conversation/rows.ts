import type { Records } from '../../replica/types.ts';
import { isSameDay } from '../../strings/format.ts';

type Message = Records['ShownMessage'];

/** How a message is rendered, which depends on the message before it. */
export interface Row {
  readonly id: string;
  /** The day in ms. Set on the first message of a day, and always on the first row. */
  readonly day?: number | undefined;
  /** True for the first message that was unread when the channel was opened. */
  readonly isFirstNew: boolean;
  /** True for the first row of a group, which shows the author. */
  readonly hasAuthor: boolean;
}

/** Messages by one author within this time are grouped. */
const TOGETHER = 7 * 60_000;

/** True if a message is in the same group as the one before it. */
export const isTogether = (
  before: Pick<Message, 'creatorId' | 'type' | 'createdAt'>,
  { creatorId, type, createdAt, replyToId }: Pick<Message, 'creatorId' | 'type' | 'createdAt' | 'replyToId'>,
): boolean =>
  before.creatorId === creatorId &&
  before.type === type &&
  replyToId === null &&
  createdAt - before.createdAt <= TOGETHER;

/**
 * How to render each of these messages. `before` is the message before the first one. Messages after the
 * marker `since` are new.
 */
export function rowsOf(
  messages: readonly Message[],
  { before, since, userId }: { before: Message | undefined; since: string | undefined; userId: string },
): Row[] {
  let last = before;
  // The user's own messages are never new.
  const isNew = (message: Message) =>
    since !== undefined && message.id > since && message.creatorId !== userId;
  let hasLine = before !== undefined && isNew(before);
  return messages.map((message, at) => {
    const startsDay = !last || !isSameDay(last.createdAt, message.createdAt);
    const isFirstNew = !hasLine && isNew(message);
    hasLine ||= isFirstNew;
    const stands = startsDay || isFirstNew || !last || !isTogether(last, message);
    last = message;
    return {
      id: message.id,
      day: startsDay || at === 0 ? message.createdAt : undefined,
      isFirstNew,
      hasAuthor: stands,
    };
  });
}
