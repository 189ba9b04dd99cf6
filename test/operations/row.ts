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
  /** Under /api/v1; at most one parameter. */
  path: string;
  /** The record that is answered, or each of a list. */
  answer: Fields;
  /** Makes whatever a request needs to succeed. The body has the fewest fields that will do. */
  ready(scene: Scene): Promise<Ready>;
}

/**
 * Readers: `anyone`; keys of the server, and of others while it is `public`; keys of the `server`; those who see the
 * `channel`; users who share a server with the user of a `profile`; each their `own`; holders of a flag.
 */
type Sight = 'anyone' | 'public' | 'server' | 'channel' | 'profile' | 'own' | Flag;

/** Values that a filter of a list takes; the words of a closed choice are listed. */
export type Filter = 'words' | 'flag' | 'moment' | 'reference' | readonly string[];

/** A way to read a list, with rows that come and go. */
export interface Listing {
  /** Tells the listings of one operation apart: the filters. */
  as?: string;
  /** In which order rows are listed by the time they came; `position` by their position before that. */
  order: 'oldest' | 'newest' | 'position';
  /** Identifies a record; its `id` unless given. */
  key?(record: Json): string;
  /** True where the list has rows beside those that come and go. */
  mixed?: true;
  open(scene: Scene): Promise<OpenListing>;
}

export interface OpenListing {
  /** Read by the administrator of the scene. */
  path: string;
  /** Adds a row and gives its key; `position` counts where a list has positions. */
  add(position: number): Promise<string>;
  take(key: string): Promise<unknown>;
}

export interface Read extends Endpoint {
  sight: Sight;
  /** Of a list: how it is read. The first has no filter. */
  listings?: readonly [Listing, ...Listing[]];
  /** Query parameters beside `limit` and `cursor`. */
  filters?: Record<string, Filter>;
}

/** A further form of a body. */
interface Variant {
  /** Tells it apart: `on a message`. */
  as: string;
  ready: Endpoint['ready'];
  fields: BodyFields;
}

export interface Write extends Endpoint {
  method: 'POST' | 'PATCH' | 'DELETE';
  rule: Rule;
  /** The kinds of channel that make a difference, if the write is about a channel. */
  channels?: readonly ChannelKind[];
  /** True if a second request like the first is ALREADY_EXISTS. */
  once?: true;
  /** Fields beside those of `ready`, as a client would send them. */
  sample?(scene: Scene): Promise<Body> | Body;
  /** Every field of the body that `ready` gives, but the `id` of the path. */
  fields?: BodyFields;
  variants?: readonly Variant[];
  /** Every way in which it appends events. */
  events: readonly [EventCase, ...EventCase[]];
  /** Requests of a random run (`properties/feed.snapshot`); absent where events are live. */
  random?: readonly RandomWrite[];
}

export interface Noun {
  /** As it stands in types of events, rules and kinds of limits. */
  name: string;
  /** The row of the table in the specification, part 1; `Reactions` and `Webhooks` do not stand there. */
  group?: string;
  /** Writes in 60 s: the specification, part 8, and decisions, part 7. */
  limit?: number;
  /** The second half of its types of events. */
  events?: readonly ('created' | 'updated' | 'deleted')[];
  /** True if its events are live: told to those who are there, and not logged. */
  live?: true;
  /** Deletes that take it along without an event of its own. */
  goesWith?: readonly ('channel' | 'thread')[];
  /** Makes one. */
  make?(scene: Scene): Promise<Json>;
  /** All of a server's, as reads show them; `shown` has the nouns that come before in the list of nouns. */
  all?(watched: Watched, shown: Records): Promise<Json[]>;
  /** The part of a record that reads and events agree on; undefined where reads do not show it. */
  visible?(record: Json, watched: Watched): Json | undefined;
  reads: readonly Read[];
  writes: readonly Write[];
}
