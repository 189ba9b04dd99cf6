import type { Client, Json } from './world.ts';

/** Records by their noun and their id. */
export type Records = Map<string, Map<string, Json>>;

export function recordsOf(records: Records, noun: string): Map<string, Json> {
  let found = records.get(noun);
  if (!found) {
    found = new Map();
    records.set(noun, found);
  }
  return found;
}

/** A server, and those who look at it: keys of administrators, who see everything. */
export interface Watched {
  server: Json;
  watchers: readonly [Client, ...Client[]];
  /** Identifiers of what no list shows: whatever anybody was ever told of. */
  known: Record<'thread' | 'role' | 'app', Set<string>>;
}
