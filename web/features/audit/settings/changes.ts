import type { LogEvent } from '../logEvent.ts';
import { nounOf } from './words.ts';

/** An event, and the fields that it changed; undefined where the log does not hold what was before. */
export interface Change {
  event: LogEvent;
  fields: readonly string[] | undefined;
}

/** Fields that follow from others, or from what members do: a change of them alone is nobody's act. */
const followers = new Set(['updatedAt', 'memberCount', 'installCount', 'lastUsedAt']);

/**
 * The events of a log, oldest first, with what each changed. Changes of nothing but followers are left out; so are
 * changes of the server itself of which nobody can tell, where the log is not read to its beginning (`isWhole`): most are members who came.
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
