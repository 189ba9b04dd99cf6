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
  /** The fields of the returned record, or of each record of a list. */
  answer: Fields;
  /** Prepares a successful request with the fewest fields in its body. */
  ready(scene: Scene): Promise<Ready>;
}

/**
 * The callers who may read a response. `anyone`: every key. `public`: keys of the server, and all keys while
 * the server is public. `server`: keys of the server. `channel`: keys that see the channel. `profile`: keys
 * of users who share a server with the user. `own`: the user alone. `secrets`: holders of canEditApp, and the
 * creator. A flag: its holders.
 */
type Sight = 'anyone' | 'public' | 'server' | 'channel' | 'profile' | 'own' | 'secrets' | Flag;

/**
 * Values of a list's filter. A list of words is a closed choice. `here`: the id of a record in the list, so
 * that others are NOT_FOUND.
 */
export type Filter = 'words' | 'words!' | 'flag' | 'moment' | 'reference' | 'here' | readonly string[];

/** One way to read a list whose rows are added and removed during the test. */
export interface Listing {
  /** Distinguishes the listings of one operation: the filters. */
  as?: string;
  /** The order of rows by creation time; `position` sorts by position first. */
  order: 'oldest' | 'newest' | 'position';
  /** Identifies a record; its `id` by default. */
  key?(record: Json): string;
  /** True if the list has rows besides those that the test adds. */
  mixed?: true;
  open(scene: Scene): Promise<OpenListing>;
}

export interface OpenListing {
  /** The path that the administrator of the scene reads. */
  path: string;
  /** Adds a row and returns its key; `position` is used where a list has positions. */
  add(position: number): Promise<string>;
  take(key: string): Promise<unknown>;
}

export interface Read extends Endpoint {
  sight: Sight;
  /** For a list: the ways to read it. The first has no filter. */
  listings?: readonly [Listing, ...Listing[]];
  /** The query without which a request is refused: `?q=hope`. */
  needs?: string;
  /** Query parameters other than `limit` and `cursor`. */
  filters?: Record<string, Filter>;
}

/** Another form of a body. */
interface Variant {
  /** Distinguishes the variant: `on a message`. */
  as: string;
  ready: Endpoint['ready'];
  fields: BodyFields;
}

export interface Write extends Endpoint {
  method: 'POST' | 'PATCH' | 'DELETE';
  rule: Rule;
  /** The kinds of channel that the write's rule distinguishes, if the write is about a channel. */
  channels?: readonly ChannelKind[];
  /** True if a second identical request is refused with ALREADY_EXISTS. */
  once?: true;
  /** True for a POST that changes an existing record. */
  changes?: true;
  /** True for a POST that removes what its body names, and returns no record. */
  removes?: true;
  /** Additional fields besides those of `ready`, for a typical request. */
  sample?(scene: Scene): Promise<Body> | Body;
  /** Every field of the body of `ready`, except the `id` of the path. */
  fields?: BodyFields;
  variants?: readonly Variant[];
  /** Every way in which the write appends events. */
  events: readonly [EventCase, ...EventCase[]];
  /** Requests for random runs (`properties/feed.snapshot`); absent if the noun's events are live. */
  random?: readonly RandomWrite[];
}

export interface Noun {
  /** The noun's name in event types, rules and limits. */
  name: string;
  /** The noun's row in the table of the specification, part 1; `Reactions` and `Webhooks` have none. */
  group?: string;
  /** Writes in 60 s: the specification, part 8, and decisions, part 7. */
  limit?: number;
  /** The verbs of its event types. */
  events?: readonly ('created' | 'updated' | 'deleted')[];
  /** True if it is not in the log: its events are live, sent only to open streams, or it has none. */
  live?: true;
  /** The parents whose delete removes it without an event of its own. */
  goesWith?: readonly ('channel' | 'thread')[];
  /** Creates a record. */
  make?(scene: Scene): Promise<Json>;
  /** All of a server's records, as reads show them; `shown` has the nouns earlier in the list. */
  all?(watched: Watched, shown: Records): Promise<Json[]>;
  /** The part of a record that reads and events agree on; undefined if reads do not show the record. */
  visible?(record: Json, watched: Watched): Json | undefined;
  reads: readonly Read[];
  writes: readonly Write[];
}
