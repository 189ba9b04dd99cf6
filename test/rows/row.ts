import type { EventCase } from '../support/eventStage.ts';
import type { BodyFields } from '../support/fields.ts';
import type { Records, Watched } from '../support/known.ts';
import type { RandomWrite } from '../support/randomWrites.ts';
import type { Body, Ready } from '../support/ready.ts';
import type { Fields } from '../support/records.ts';
import type { ChannelKind, Flag, Rule } from '../support/rules.ts';
import type { Scene } from '../support/scene.ts';
import type { Json } from '../support/world.ts';

interface Endpoint {
  /** The `operationId`. */
  name: string;
  /** The path under /api/v1; at most one parameter. */
  path: string;
  /** The fields of the returned record, or of each record in a list. */
  answer: Fields;
  /** Prepares a request that succeeds with the fewest fields in its body. */
  ready(scene: Scene): Promise<Ready>;
}

/**
 * The callers who may read a response. `anyone`: every key. `public`: keys of the server, and every key if the server
 * is public. `server`: keys of the server. `channel`: keys that can see the channel. `profile`: keys of users who
 * share a server with the user. `own`: only the user, because each user has their own records. `owner`: only the
 * record's user. `secrets`: callers with canEditApp, and the creator. A flag: callers who have it.
 */
type Sight = 'anyone' | 'public' | 'server' | 'channel' | 'profile' | 'own' | 'owner' | 'secrets' | Flag;

/**
 * The kind of values that a list's filter accepts. A list of words is an enum. `here`: the id of a record in
 * the list; other ids are NOT_FOUND.
 */
export type Filter = 'words' | 'words!' | 'flag' | 'moment' | 'reference' | 'here' | readonly string[];

/** A way to read a list. The test adds rows to the list and removes rows from it. */
export interface Listing {
  /** Distinguishes the listings of one operation by their filters. */
  as?: string;
  /** The order of rows by creation time. `position` sorts by position first. */
  order: 'oldest' | 'newest' | 'position';
  /** Identifies a record; its `id` by default. */
  key?(record: Json): string;
  /** The maximum number of rows in the list; unlimited by default. */
  most?: number;
  /** True if the list contains rows other than those that the test adds. */
  mixed?: true;
  open(scene: Scene): Promise<OpenListing>;
}

export interface OpenListing {
  /** The path that the admin of the scene reads. */
  path: string;
  /** Adds a row and returns its key. `position` is used if the list is sorted by position. */
  add(position: number): Promise<string>;
  take(key: string): Promise<unknown>;
}

export interface Read extends Endpoint {
  sight: Sight;
  /** The ways to read a list. The first has no filter, except for open reports. */
  listings?: readonly [Listing, ...Listing[]];
  /** The query that a request requires: `?q=hope`. */
  needs?: string;
  /** Whether the read takes a `limit` for the records within its record. */
  hasLimit?: true;
  /** Query parameters other than `limit` and `cursor`. */
  filters?: Record<string, Filter>;
}

/** An alternative request body. */
interface Variant {
  /** Distinguishes the variant: `on a message`. */
  as: string;
  ready: Endpoint['ready'];
  fields: BodyFields;
}

export interface Write extends Endpoint {
  method: 'POST' | 'PATCH' | 'DELETE';
  rule: Rule;
  /** The kinds of channel that the write's rule distinguishes, if the write concerns a channel. */
  channels?: readonly ChannelKind[];
  /** True if a second identical request is rejected with ALREADY_EXISTS. */
  once?: true;
  /** True for a POST that changes an existing record. */
  changes?: true;
  /** True for a POST that uses up the record in its path, such as its approval. */
  usesUp?: true;
  /** True for a POST that removes the records that its body names, and returns no record. */
  removes?: true;
  /** Fields that a typical request has in addition to those from `ready`. */
  sample?(scene: Scene): Promise<Body> | Body;
  /** Every field in the body of `ready`, except the `id` from the path. */
  fields?: BodyFields;
  variants?: readonly Variant[];
  /** All ways in which the write appends events. */
  events: readonly [EventCase, ...EventCase[]];
  /** Requests for random runs (`properties/feed.snapshot`). Absent if the noun's events are live. */
  random?: readonly RandomWrite[];
}

export interface Noun {
  /** The noun's name in event types, rules and limits. */
  name: string;
  /** The noun's group, as in the specification, part 1. Groups added later, such as `Reactions`, are not in it. */
  group?: string;
  /** The number of writes in 60 s, from the specification, part 8, and decisions, part 7. */
  limit?: number;
  /** The verbs of its event types. */
  events?: readonly ('created' | 'updated' | 'deleted' | 'appended')[];
  /**
   * True if the noun is not in the log, because its events are live and only sent to open streams, or because it has
   * none.
   */
  live?: true;
  /** The parents whose deletion removes the record without a separate event. */
  goesWith?: readonly ('channel' | 'thread')[];
  /** Creates a record. */
  make?(scene: Scene): Promise<Json>;
  /** All records of a server, as reads show them. `shown` contains the nouns earlier in the list. */
  all?(watched: Watched, shown: Records): Promise<Json[]>;
  /** A record without the fields that differ between reads and events. Undefined if reads do not show the record. */
  visible?(record: Json, watched: Watched): Json | undefined;
  reads: readonly Read[];
  writes: readonly Write[];
}
