import { type Bound, fixed } from './compile.ts';

/** The servers in a batch, and how the batch locks them. */
export interface Locks {
  servers: ReadonlySet<string>;
  /**
   * `all` waits for every lock, the id of a server waits for that server's lock, and `none` skips every
   * locked server.
   */
  waitsFor: 'all' | 'none' | { serverId: string };
}

/** The lock timeout of a transaction with several servers, in milliseconds. */
const SHORT_LOCK_MS = 200;

const shortWaits = `(select set_config('lock_timeout', '${SHORT_LOCK_MS}', true)) is not null`;

const owners = fixed(`with server as materialized
    (select 1 from server where id = any($1) order by id for no key update),
  person as materialized (select 1 from "user" where id = any($1) order by id for no key update)
  select (select count(*) from server) + (select count(*) from person)`);

const free = fixed(
  `select id from server where id = any($1) and ${shortWaits} order by id for no key update skip locked`,
);

const oneThenFree = fixed(`with one as materialized
    (select id from server where id = $1 and ${shortWaits} for no key update),
  rest as materialized (select id from server where id = any($2) and (select count(*) from one) >= 0
    order by id for no key update skip locked)
  select id from one union all select id from rest`);

/**
 * The first half of the key of an advisory lock on a name, "hold" in ASCII. It distinguishes these locks from
 * other advisory locks.
 */
const HOLD_KEY = 0x686f6c64;

const name = fixed(`select pg_advisory_xact_lock(${HOLD_KEY}, hashtext($1))`);

/** Locks a name until the end of the transaction. */
export const lockName = (text: string): Bound => ({ ...name, values: [text] });

/**
 * Locks the rows of servers or users, in id order (which avoids deadlocks), so that other writers to their
 * logs wait. Inserts of rows that reference them by foreign key do not wait.
 */
export const lockOwners = (logIds: Iterable<string>): Bound => ({ ...owners, values: [[...logIds]] });

/** Locks the servers that no other transaction has locked. Returns their ids. */
export const lockFree = (serverIds: Iterable<string>): Bound => ({ ...free, values: [[...serverIds]] });

/**
 * Waits for one server's lock, then locks those of the others that are free. Returns the ids of all locked
 * servers.
 */
export const lockOneThenFree = (serverId: string, others: Iterable<string>): Bound => ({
  ...oneThenFree,
  values: [serverId, [...others].filter((other) => other !== serverId)],
});
