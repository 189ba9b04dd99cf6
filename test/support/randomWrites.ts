import type { Choice } from './choice.ts';
import { type Records, recordsOf } from './known.ts';
import type { Body, Ready } from './ready.ts';
import type { Client, Json } from './world.ts';

/** A server, and the records and users from which random writes choose. */
export interface Place {
  server: Json;
  /** The server's records according to the events so far. */
  records: Records;
  /** Clients of admins. No write removes these users. */
  watchers: readonly [Client, ...Client[]];
  /** A client with few permissions. */
  guest: Client;
  /** Users who are added to the server and removed from it. */
  users: readonly Json[];
  /** The other server. */
  other: () => Place;
  unique(stem: string): string;
  /** The id of the last event that was applied. */
  latest: string;
  /** The ids of deliveries that writes have requested, for which there are no events. */
  deliveries: Set<string>;
  /** The ids of runs of flows that have failed. */
  failedRuns: readonly string[];
}

export interface RandomWrite {
  /** How often the write is drawn, relative to the other writes. */
  weight: number;
  /** Undefined while there is no record that the write could change. */
  write(place: Place, choice: Choice): (Ready & { as?: Client }) | undefined;
}

/** A random record of a noun that `holds` accepts; undefined if there is none. */
export function one(
  { records }: Place,
  choice: Choice,
  noun: string,
  holds: (row: Json) => boolean = () => true,
) {
  const rows = [...recordsOf(records, noun).values()].filter(holds);
  return choice.of(rows.sort((a, b) => (a.id < b.id ? -1 : 1)));
}

export const idOf = (record: Json | undefined): string => record?.id ?? 'nothing';

/** Returns a write to a random record of a noun that `holds` accepts. */
export const toOne = (
  weight: number,
  noun: string,
  body?: (place: Place, choice: Choice) => Body,
  holds: (place: Place) => (row: Json) => boolean = () => () => true,
): RandomWrite => ({
  weight,
  write(place, choice) {
    const found = one(place, choice, noun, holds(place));
    return found && { id: found.id, ...(body && { body: body(place, choice) }) };
  },
});

export const anInsert = (
  weight: number,
  body: (place: Place, choice: Choice) => Body | undefined,
): RandomWrite => ({
  weight,
  write(place, choice) {
    const given = body(place, choice);
    return given && { body: given };
  },
});

/** Text that may mention a member. */
export function words(place: Place, choice: Choice): string {
  const member = one(place, choice, 'serverMember');
  return choice.flag() ? `Hello @${member?.user.username}` : place.unique('words');
}

export const own = ({ watchers, guest }: Place) =>
  new Set([...watchers, guest].map(({ secret }) => secret.id));
export const watching = ({ watchers, guest }: Place) =>
  new Set([...watchers, guest].map(({ secret }) => secret.userId));
export const plainRole = ({ watchers }: Place) => {
  const roles = new Set(watchers.map(({ secret }) => secret.roleId));
  return ({ id, isDefault }: Json) => !isDefault && !roles.has(id);
};
/** True if an app was submitted to the registry. */
export const isSubmitted = ({ verified }: Json): boolean => verified !== null;
