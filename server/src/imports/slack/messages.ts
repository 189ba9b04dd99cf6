import { MAX_WHOLE_BYTES, partsOf, wholeOf } from '../reading/json.ts';
import { type Loose, listOf, sourceIdOf, textOf } from '../reading/loose.ts';
import type { Archive } from '../row.ts';

/** Skipped subtypes. A tombstone may have started a thread, which shows in its replies. */
const NONE =
  /^(?:tombstone|bot_(?:add|remove)|message_(?:changed|deleted)|joiner_notification.*|.*_(?:join|leave))$/;
/** Subtypes that Slack itself wrote. */
const SYSTEM =
  /^(?:(?:channel|group)_(?:name|topic|purpose|archive|unarchive|convert_to_\w+|posting_permissions)|(?:un)?pinned_item|reminder_add|sh_room_\w+|huddle_thread)$/;

export const isMessage = (message: Loose): boolean =>
  message?.type === 'message' && sourceIdOf(message.ts) !== '' && !NONE.test(textOf(message.subtype));

export const isSystem = (message: Loose): boolean => SYSTEM.test(textOf(message.subtype));

/**
 * The messages of a file of a day, in order of time. Days that are too large to be read as a whole have the order of the
 * file, which is that of time in Slack's own exports.
 */
export async function* messagesAt(archive: Archive, path: string): AsyncGenerator<Loose> {
  const bytes = await archive.open(path);
  if ((archive.sizeOf(path) ?? 0) > MAX_WHOLE_BYTES) {
    for await (const { value } of partsOf(bytes, path)) yield value;
    return;
  }
  yield* listOf(await wholeOf(bytes, path)).sort((a, b) => Number(a?.ts) - Number(b?.ts));
}
