import { codeBlock } from './commonmark.ts';
import { told, words } from './forge.ts';
import { joined, type Loose, stringOf } from './loose.ts';

/** Characters of an event's data that are shown. */
const MAX_DATA_CHARACTERS = 2_000;

/** Whether a payload is a CloudEvent in the structured mode of its HTTP binding. */
export const isCloudEvent = (payload: Loose): boolean =>
  typeof payload?.specversion === 'string' &&
  typeof payload.type === 'string' &&
  typeof payload.source === 'string';

/** Converts a CloudEvent: its source, type and subject, and the start of its data if that is text. */
export function ofCloudEvent(payload: Loose): string {
  const data = stringOf(payload?.data).slice(0, MAX_DATA_CHARACTERS).toWellFormed();
  return joined(
    [
      told({
        place: words(payload?.source),
        actor: '',
        deed: joined([words(payload?.type), words(payload?.subject)], ' '),
      }),
      data && codeBlock(data),
    ],
    '\n\n',
  );
}
