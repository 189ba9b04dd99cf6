import type { Static, TSchema } from 'typebox';
import type { Visibility } from '../access/visibility.ts';

/** Where an event belongs, and whom it concerns. */
export interface EventAddress {
  /** The log: the id of a server, or of a user where it concerns one person over all servers. */
  logId: string;
  /** The channel whose viewers alone are shown it; null for none. */
  channelId: string | null;
  /** The user who alone is shown it; null for none. */
  userId: string | null;
}

/** A type of event. Of whatever a read shows differently after a change there is an event. */
export interface EventKind<D = unknown> {
  /** `pin.created` */
  readonly type: string;
  readonly noun: string;
  /** When it happens, for people. */
  readonly words: string;
  /** Who is shown it: the same as who may read its record. */
  readonly audience: Visibility;
  /** The log that it is in: of a server, or of a user. */
  readonly log: 'server' | 'user';
  /** True for one that streams are told at the moment, and no log keeps. */
  readonly isLive: boolean;
  /** The schema of its data: the record, as a read shows it; of a deleted one, as it was just before. */
  readonly data: TSchema;
  addressOf(data: D): EventAddress;
}

interface Given<S extends TSchema> {
  data: S;
  audience: Visibility;
  log?: 'user';
  isLive?: true;
  /** Where that differs from the fields `serverId`, `channelId` and, for one user's events, `userId` of the data. */
  addressOf?(data: Static<S>): Partial<EventAddress>;
}

/** The events of a noun: `eventsOf('pin', { data: pin, audience: 'channel' }, { created: 'A message was pinned', … })`. */
export function eventsOf<S extends TSchema, W extends Record<string, string>>(
  noun: string,
  given: Given<S>,
  words: W,
): { readonly [K in keyof W]: EventKind<Static<S>> } {
  const { data, audience, addressOf } = given;
  const log = given.log ?? 'server';
  const isLive = given.isLive ?? false;
  const isForOne = audience === 'owner' || audience === 'self';
  const kindOf = (name: string): EventKind<Static<S>> => ({
    type: `${noun}.${name}`,
    noun,
    words: words[name] as string,
    audience,
    log,
    isLive,
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

/** Every type of event that there is. */
export class EventTable {
  readonly #kinds: ReadonlyMap<string, EventKind>;

  constructor(kinds: Iterable<EventKind>) {
    this.#kinds = new Map([...kinds].map((kind) => [kind.type, kind]));
  }

  /** The types that a log keeps, and those that are told live alone. */
  get logged(): EventKind[] {
    return [...this.#kinds.values()].filter(({ isLive }) => !isLive);
  }

  get live(): EventKind[] {
    return [...this.#kinds.values()].filter(({ isLive }) => isLive);
  }

  /** Undefined for a type that this version does not know. */
  find(type: string): EventKind | undefined {
    return this.#kinds.get(type);
  }

  /** The types that a name stands for: one, or all of a noun as `message.*`. None for a name that means nothing. */
  named(name: string): EventKind[] {
    return [...this.#kinds.values()].filter(({ type }) =>
      name.endsWith('.*') ? type.startsWith(name.slice(0, -1)) : type === name,
    );
  }
}
