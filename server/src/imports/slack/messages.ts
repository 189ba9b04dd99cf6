import { MAX_WHOLE_BYTES, partsOf, wholeOf } from '../reading/json.ts';
import { type Loose, listOf, sourceIdOf, textOf } from '../reading/loose.ts';
import type { Archive } from '../row.ts';

/** Skipped subtypes. A tombstone may be the root of a thread, which its replies reveal. */
const NONE =
  /^(?:tombstone|bot_(?:add|remove)|message_(?:changed|deleted)|joiner_notification.*|.*_(?:join|leave))$/;
/** Subtypes of Slack's own system messages. */
const SYSTEM =
  /^(?:(?:channel|group)_(?:name|topic|purpose|archive|unarchive|convert_to_\w+|posting_permissions)|(?:un)?pinned_item|reminder_add|sh_room_\w+|huddle_thread)$/;

export const isMessage = (message: Loose): boolean =>
  message?.type === 'message' && sourceIdOf(message.ts) !== '' && !NONE.test(textOf(message.subtype));

export const isSystem = (message: Loose): boolean => SYSTEM.test(textOf(message.subtype));

/**
 * The messages of one day's file, in chronological order. Files that are too large to sort keep their order,
 * which is chronological in Slack's own exports.
 */
export async function* messagesAt(archive: Archive, path: string): AsyncGenerator<Loose> {
  const bytes = await archive.open(path);
  if ((archive.sizeOf(path) ?? 0) > MAX_WHOLE_BYTES) {
    for await (const { value } of partsOf(bytes, path)) yield value;
    return;
  }
  yield* listOf(await wholeOf(bytes, path)).sort((a, b) => Number(a?.ts) - Number(b?.ts));
}
