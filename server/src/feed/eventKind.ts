import type { Static, TSchema } from 'typebox';
import type { Visibility } from '../access/visibility.ts';

/** The log of an event, and which of the log's viewers receive it. */
export interface EventAddress {
  /** The id of a server, or of a user if the event concerns them in every server. */
  logId: string;
  /** If set, only viewers of this channel see the event. */
  channelId: string | null;
  /** If set, only this user sees the event. */
  userId: string | null;
}

/**
 * The recipients of a live event. `person` events go to the streams of that person. `plain` events go to the
 * streams of the server. So do `indicator` events, which last until they expire or are replaced.
 */
type LiveRoute = 'person' | 'plain' | 'indicator';

/** An event type. Every change to a record that can be read has an event type. */
export interface EventKind<D = unknown> {
  /** The name, for example `message.created`. */
  readonly type: string;
  readonly noun: string;
  /** The description of the change in the documentation. */
  readonly words: string;
  /** The people who can read the record. They also receive the event. */
  readonly audience: Visibility;
  /** The kind of log to which the event is appended. */
  readonly log: 'server' | 'user';
  /** Set for a live event, which is pushed to open streams and never stored. */
  readonly live: LiveRoute | undefined;
  /**
   * The schema of the event's `data`: the record as a read returns it. For a deletion, this is the record
   * just before it.
   */
  readonly data: TSchema;
  addressOf(data: D): EventAddress;
}

interface EventsOptions<S extends TSchema> {
  data: S;
  audience: Visibility;
  log?: 'user';
  live?: LiveRoute;
  /**
   * Overrides parts of the address, which defaults to the fields `serverId`, `channelId` and `userId` of
   * the data.
   */
  addressOf?(data: Static<S>): Partial<EventAddress>;
}

/**
 * Declares the event types of a noun, for example `eventsOf('invite', { data: invite, audience: 'member' }, {
 * created: 'Invited' })`.
 */
export function eventsOf<S extends TSchema, W extends Record<string, string>>(
  noun: string,
  options: EventsOptions<S>,
  words: W,
): { readonly [K in keyof W]: EventKind<Static<S>> } {
  const { data, audience, addressOf } = options;
  const log = options.log ?? 'server';
  const isForOne = ['owner', 'self', 'person'].includes(audience);
  const kindOf = (name: string): EventKind<Static<S>> => ({
    type: `${noun}.${name}`,
    noun,
    words: words[name] as string,
    audience,
    log,
    live: options.live,
    data,
    addressOf(record) {
      const { serverId, channelId = null, userId = null } = record as Record<string, string | null>;
      const address: EventAddress = {
        logId: (log === 'user' ? userId : serverId) as string,
        channelId,
        userId: isForOne ? userId : null,
      };
      return addressOf ? { ...address, ...addressOf(record) } : address;
    },
  });
  return Object.fromEntries(Object.keys(words).map((name) => [name, kindOf(name)])) as {
    [K in keyof W]: EventKind<Static<S>>;
  };
}

/** All event types. */
export class EventTable {
  readonly #kinds: ReadonlyMap<string, EventKind>;

  constructor(kinds: Iterable<EventKind>) {
    this.#kinds = new Map([...kinds].map((kind) => [kind.type, kind]));
  }

  /** The types stored in logs. */
  get logged(): EventKind[] {
    return [...this.#kinds.values()].filter(({ live }) => !live);
  }

  /** The types of live events. */
  get live(): EventKind[] {
    return [...this.#kinds.values()].filter(({ live }) => live);
  }

  /** Returns the kind of an event; undefined for a type that is unknown to this version. */
  find(type: string): EventKind | undefined {
    return this.#kinds.get(type);
  }

  /**
   * Returns the types that a name matches: one type, or all types of a noun (`message.*`). Empty for an
   * unknown name.
   */
  named(name: string): EventKind[] {
    return [...this.#kinds.values()].filter(({ type }) =>
      name.endsWith('.*') ? type.startsWith(name.slice(0, -1)) : type === name,
    );
  }
}
