import type { Choice } from './choice.ts';
import { type Records, recordsOf } from './known.ts';
import type { Body, Ready } from './ready.ts';
import type { Client, Json } from './world.ts';

/** A server, and all that random writes to it are made from. */
export interface Place {
  server: Json;
  /** Records as the events so far have made them. */
  records: Records;
  /** Administrators; nobody removes them. */
  watchers: readonly [Client, ...Client[]];
  /** Somebody who may do little. */
  guest: Client;
  /** Users who come and go. */
  users: readonly Json[];
  /** The other server. */
  other: () => Place;
  unique(stem: string): string;
  /** The id of the last event that was followed. */
  latest: string;
}

/** A write that a random run tries now and then. */
export interface RandomWrite {
  /** Relative to the others. */
  weight: number;
  /** Undefined where there is nothing yet that it could be about. */
  write(place: Place, choice: Choice): (Ready & { as?: Client }) | undefined;
}

/** One of a noun's records that something holds for. */
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

/** A write to one of a noun's records that something holds for. */
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

/** An insert. */
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

/** A text that may mention a member. */
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
/** Whether an app is in the registry. */
export const isSubmitted = ({ verified }: Json): boolean => verified !== null;
