import { nouns } from '../rows/index.ts';
import { type Records, recordsOf } from './known.ts';
import type { Logged } from './log.ts';
import type { Json } from './world.ts';

const goingWith = (what: 'channel' | 'thread'): string[] =>
  nouns.filter(({ goesWith }) => goesWith?.includes(what)).map(({ name }) => name);

/**
 * Applies an event to a follower's records. `created` and `updated` store the record; `deleted` removes it. Deleting
 * a channel also removes its content, and deleting a thread also removes its replies and their pins and reactions.
 */
export function follow(records: Records, { type, data }: Pick<Logged, 'type' | 'data'>): void {
  const [noun, verb] = type.split('.') as [string, string];
  if (verb !== 'deleted') {
    recordsOf(records, noun).set(data.id, data);
    return;
  }
  recordsOf(records, noun).delete(data.id);
  if (noun === 'channel') {
    for (const inside of goingWith('channel'))
      takeWhere(records, inside, ({ channelId }) => channelId === data.id);
  }
  if (noun === 'thread') {
    const replies = takeWhere(records, 'message', ({ threadId }) => threadId === data.id);
    for (const hanging of goingWith('thread'))
      takeWhere(records, hanging, ({ messageId }) => replies.has(messageId));
  }
}

/** Removes the records that `holds` accepts, and returns their ids. */
function takeWhere(records: Records, noun: string, holds: (record: Json) => boolean): Set<string> {
  const rows = recordsOf(records, noun);
  const taken = new Set([...rows.values()].filter(holds).map(({ id }) => id as string));
  for (const id of taken) rows.delete(id);
  return taken;
}
