import { boundedCopy } from './boundedCopy.ts';
import { codeBlock, cut, unmentioning } from './commonmark.ts';
import { told, words } from './forge.ts';
import { joined, type Loose, stringOf } from './loose.ts';

/** Maximum characters of an event's data to show. */
const MAX_DATA_CHARACTERS = 2_000;
/** Maximum events of a batch to show. In a batch, less of each event's data is shown. */
const MAX_EVENTS = 10;

const isOne = (payload: Loose): boolean =>
  typeof payload?.specversion === 'string' &&
  typeof payload.type === 'string' &&
  typeof payload.source === 'string';

/**
 * Whether a payload is a CloudEvent in structured mode (HTTP binding), or several in batched mode. Events in
 * binary mode have already been converted to this format (`cloudEventHeaders.ts`).
 */
export const isCloudEvent = (payload: Loose): boolean =>
  Array.isArray(payload) ? payload.length > 0 && payload.slice(0, MAX_EVENTS).every(isOne) : isOne(payload);

/**
 * Converts CloudEvents. Shows the source, type and subject of each, and the start of its data if that is text
 * or JSON.
 */
export function ofCloudEvent(payload: Loose): string {
  if (!Array.isArray(payload)) return ofOne(payload, MAX_DATA_CHARACTERS);
  const shown = payload.slice(0, MAX_EVENTS);
  const more = payload.length - shown.length;
  const each = Math.floor(MAX_DATA_CHARACTERS / shown.length);
  return joined([...shown.map((event) => ofOne(event, each)), more > 0 ? `and ${more} more` : ''], '\n\n');
}

function ofOne(event: Loose, most: number): string {
  const data = dataOf(event, most);
  const deed = joined([words(event?.type), words(event?.subject)], ' ');
  return joined(
    [told({ place: words(event?.source), actor: '', deed }), data && codeBlock(unmentioning(data))],
    '\n\n',
  );
}

function dataOf({ data }: Loose, most: number): string {
  if (typeof data !== 'object' || data === null) return cut(stringOf(data), most);
  return cut(JSON.stringify(boundedCopy(data, most).copy, undefined, 2), most);
}
