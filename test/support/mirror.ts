import type { Logged } from './log.ts';
import type { Json } from './world.ts';

/** Records by the name of their resource and their id. */
export type Records = Map<string, Map<string, Json>>;

export function recordsOf(records: Records, resource: string): Map<string, Json> {
  let found = records.get(resource);
  if (!found) {
    found = new Map();
    records.set(resource, found);
  }
  return found;
}

/**
 * All that somebody who follows a server has to know of its events: `created` and `updated` put a record, `deleted` takes it
 * away; with a channel goes what is in it, with a thread its replies and what hangs on them.
 */
export function follow(records: Records, { type, data }: Pick<Logged, 'type' | 'data'>): void {
  const [resource, verb] = type.split('.') as [string, string];
  if (verb !== 'deleted') {
    recordsOf(records, resource).set(data.id, data);
    return;
  }
  recordsOf(records, resource).delete(data.id);
  if (resource === 'channel') {
    for (const inside of ['message', 'thread', 'pin', 'reaction', 'notification']) {
      takeWhere(records, inside, ({ channelId }) => channelId === data.id);
    }
  }
  if (resource === 'thread') {
    const replies = takeWhere(records, 'message', ({ threadId }) => threadId === data.id);
    for (const hanging of ['pin', 'reaction', 'notification']) {
      takeWhere(records, hanging, ({ messageId }) => replies.has(messageId));
    }
  }
}

/** Takes the records away that something holds for, and gives their ids. */
function takeWhere(records: Records, resource: string, holds: (record: Json) => boolean): Set<string> {
  const rows = recordsOf(records, resource);
  const taken = new Set([...rows.values()].filter(holds).map(({ id }) => id as string));
  for (const id of taken) rows.delete(id);
  return taken;
}
