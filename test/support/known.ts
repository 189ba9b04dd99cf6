import type { Client, Json } from './world.ts';

/** Records by noun and id. */
export type Records = Map<string, Map<string, Json>>;

export function recordsOf(records: Records, noun: string): Map<string, Json> {
  let found = records.get(noun);
  if (!found) {
    found = new Map();
    records.set(noun, found);
  }
  return found;
}

/** A server and the clients that watch it. They belong to admins, who can see everything. */
export interface Watched {
  server: Json;
  watchers: readonly [Client, ...Client[]];
  /** Ids of records that no list contains, collected from events. */
  known: Record<'thread' | 'role' | 'app', Set<string>>;
}
