import type { LogEvent } from '../logEvent.ts';
import { nounOf } from './words.ts';

/** An event and the fields that it changed. `fields` is undefined if the log lacks the previous state. */
export interface Change {
  event: LogEvent;
  fields: readonly string[] | undefined;
}

/**
 * Derived fields, and fields that follow members' activity. An event that changes only these is not an
 * administrative action.
 */
const followers = new Set([
  'updatedAt',
  'memberCount',
  'installCount',
  'lastUsedAt',
  'replyCount',
  'lastReplyAt',
]);

/**
 * The events of a log, oldest first, with the fields that each of them changed. Events that only change
 * derived fields are left out. If the log is not loaded back to its beginning (`isWhole`), server updates
 * without a known previous state are left out, too, because most of them only count new members.
 */
export function changesIn(events: readonly LogEvent[], isWhole = true): Change[] {
  const known = new Map<string, object>();
  const changes: Change[] = [];
  for (const event of events) {
    const key = `${nounOf(event)} ${event.data.id}`;
    const before = known.get(key);
    known.set(key, event.data);
    const isChange = event.type.endsWith('.updated') && before !== undefined;
    const fields = isChange ? changedFields(before, event.data) : undefined;
    const isUntold = !isWhole && fields === undefined && event.type === 'server.updated';
    if (fields?.length !== 0 && !isUntold) changes.push({ event, fields });
  }
  return changes;
}

function changedFields(before: object, after: object): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const valueIn = (record: object, name: string) => JSON.stringify((record as Record<string, unknown>)[name]);
  return names.filter((name) => !followers.has(name) && valueIn(before, name) !== valueIn(after, name));
}
