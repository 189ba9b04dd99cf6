import { MAX_WHOLE_BYTES, partsOf, wholeOf } from '../reading/json.ts';
import {
  type Attached,
  countOf,
  JOIN_LINE,
  type Loose,
  listOf,
  sourceIdOf,
  textOf,
} from '../reading/loose.ts';
import type { Archive } from '../row.ts';

/**
 * Skipped subtypes, with the reasons for the report. A tombstone may be the root of a thread. Only replies
 * reveal that.
 */
const none: readonly [RegExp, string][] = [
  [/^(?:bot_(?:add|remove)|joiner_notification.*|.*_(?:join|leave))$/, JOIN_LINE],
  [/^(?:tombstone|message_deleted)$/, 'was deleted in Slack'],
  [/^message_changed$/, 'only says that a message was edited'],
];
/** Subtypes of Slack's own system messages. */
const SYSTEM =
  /^(?:(?:channel|group)_(?:name|topic|purpose|archive|unarchive|convert_to_\w+|posting_permissions)|(?:un)?pinned_item|reminder_add|sh_room_\w+|huddle_thread)$/;

/** Returns why an entry in a file of messages is not counted as a message; undefined for messages. */
export function omissionOf(message: Loose): string | undefined {
  if (message?.type !== 'message' || sourceIdOf(message.ts) === '') return 'is not a message';
  return none.find(([subtype]) => subtype.test(textOf(message.subtype)))?.[1];
}

export const isMessage = (message: Loose): boolean => omissionOf(message) === undefined;

/** Returns everything that is attached to a message. */
export const attachedTo = (message: Loose): Attached => ({
  isReply: sourceIdOf(message?.thread_ts) !== '' && message.thread_ts !== message.ts,
  reactions: listOf(message?.reactions).reduce((sum, reaction) => sum + countOfReaction(reaction), 0),
  files: filesIn(message).length,
});

/** Returns the files of a message. Old exports have one `file` instead of a list. */
export const filesIn = (message: Loose): Loose[] =>
  (listOf(message?.files).length > 0 ? listOf(message.files) : [message?.file]).filter(Boolean);

/** Returns the number of people who reacted with an emoji. */
export const countOfReaction = (reaction: Loose): number =>
  Math.max(countOf(reaction?.count), new Set(listOf(reaction?.users)).size);

export const isSystem = (message: Loose): boolean => SYSTEM.test(textOf(message.subtype));

/**
 * Returns the messages of one day's file, in chronological order. Files that are too large to sort keep their
 * order, which is chronological in Slack's own exports.
 */
export async function* messagesAt(archive: Archive, path: string): AsyncGenerator<Loose> {
  const bytes = await archive.open(path);
  if ((archive.sizeOf(path) ?? 0) > MAX_WHOLE_BYTES) {
    for await (const { value } of partsOf(bytes, path)) yield value;
    return;
  }
  yield* listOf(await wholeOf(bytes, path)).sort((a, b) => Number(a?.ts) - Number(b?.ts));
}
