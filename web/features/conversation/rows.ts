import type { Records } from '../../replica/types.ts';
import { isSameDay } from '../../strings/format.ts';

type Message = Records['ShownMessage'];

/** How a message stands below the one before it. */
export interface Row {
  readonly id: string;
  /** The day begins with it, in ms; the first row of all names its day, too. */
  readonly day?: number | undefined;
  /** The first that was not read when the channel was opened. */
  readonly isFirstNew: boolean;
  /** Its author stands above it; the others of a group follow without. */
  readonly hasAuthor: boolean;
}

/** Messages of one author within so many milliseconds stand together. */
const TOGETHER = 7 * 60_000;

/** True if a message stands in one group with the one before it. */
export const isTogether = (
  before: Pick<Message, 'creatorId' | 'type' | 'createdAt'>,
  { creatorId, type, createdAt, replyToId }: Pick<Message, 'creatorId' | 'type' | 'createdAt' | 'replyToId'>,
): boolean =>
  before.creatorId === creatorId &&
  before.type === type &&
  replyToId === null &&
  createdAt - before.createdAt <= TOGETHER;

/** How each of these messages stands. `before` is the one before the first; `since` the marker at which new ones begin. */
export function rowsOf(
  messages: readonly Message[],
  { before, since, userId }: { before: Message | undefined; since: string | undefined; userId: string },
): Row[] {
  let last = before;
  // One's own are never new.
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
