import type { EventTable } from './eventKind.ts';
import type { LoggedEvent } from './logged.ts';

const CREATED = 'message.created';
const UPDATED = 'message.updated';

/**
 * Returns the event types to request from the log. `message.created` also requires `message.updated`, because
 * the log records the end of a streamed message as an update.
 */
export const readFor = (types: ReadonlySet<string>): ReadonlySet<string> =>
  types.has(CREATED) ? new Set([...types, UPDATED]) : types;

/**
 * Returns the event as it is delivered to clients that act on new messages; undefined if it is not
 * delivered. A streamed message is delivered once, when it is complete, as a new message. `types` are the
 * types the client subscribed to; undefined for all.
 */
export function asWhole(
  event: LoggedEvent,
  types: ReadonlySet<string> | undefined,
  events: EventTable,
): LoggedEvent | undefined {
  const { type, json } = event;
  if (!type.startsWith('message.')) return event;
  // JSON escapes quotes within strings, so the text of a message cannot match this.
  if (!json.includes('"stream":"open"') && !json.includes('"finished":true'))
    return types === undefined || types.has(type) ? event : undefined;
  const { data, ...rest } = JSON.parse(json);
  if (data.stream === 'open') return undefined;
  const { finished, ...message } = data;
  if (!finished) return types === undefined || types.has(type) ? event : undefined;
  if (types !== undefined && !types.has(CREATED)) return undefined;
  const whole = JSON.stringify({ ...rest, type: CREATED, data: message });
  return { ...event, type: CREATED, kind: events.find(CREATED), json: whole };
}
