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

/** A server and its watchers: administrators' clients, which see everything. */
export interface Watched {
  server: Json;
  watchers: readonly [Client, ...Client[]];
  /** Identifiers of records that no list shows, collected from events. */
  known: Record<'thread' | 'role' | 'app', Set<string>>;
}
