import { partsOf } from '../reading/json.ts';
import { type Loose, sourceIdOf, textOf } from '../reading/loose.ts';
import type { Archive } from '../row.ts';

/** A larger day is read in the order it has, which is that of time in Slack's own exports. */
const MAX_SORTED_BYTES = 32 * 2 ** 20;

/** Subtypes that are no messages. A tombstone may hold a thread; its replies tell. */
const NONE =
  /^(?:tombstone|bot_(?:add|remove)|message_(?:changed|deleted)|joiner_notification.*|.*_(?:join|leave))$/;
/** Subtypes that Slack itself wrote. */
const SYSTEM =
  /^(?:(?:channel|group)_(?:name|topic|purpose|archive|unarchive|convert_to_\w+|posting_permissions)|(?:un)?pinned_item|reminder_add|sh_room_\w+|huddle_thread)$/;

export const isMessage = (message: Loose): boolean =>
  message?.type === 'message' && sourceIdOf(message.ts) !== '' && !NONE.test(textOf(message.subtype));

export const isSystem = (message: Loose): boolean => SYSTEM.test(textOf(message.subtype));

/** The messages of a file of a day, in order of time. */
export async function* messagesAt(archive: Archive, path: string): AsyncGenerator<Loose> {
  const parts = partsOf(await archive.open(path), path);
  if ((archive.sizeOf(path) ?? 0) > MAX_SORTED_BYTES) {
    for await (const { value } of parts) yield value;
    return;
  }
  const day: Loose[] = [];
  for await (const { value } of parts) day.push(value);
  yield* day.sort((a, b) => Number(a?.ts) - Number(b?.ts));
}
