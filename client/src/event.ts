import type { LiveEventData, LoggedEventData } from './generated/events.ts';

/** A type of event: `message.created`, `indicator.updated`, … */
export type EventType = keyof LoggedEventData | keyof LiveEventData;
type Noun = EventType extends infer T ? (T extends `${infer N}.${string}` ? N : never) : never;

interface Happened<Type extends EventType, Data> {
  type: Type;
  serverId: string;
  /** Whose doing it was; null for the operator, and for the server itself. */
  actorId: string | null;
  /** Milliseconds since the Unix epoch. */
  at: number;
  /** The record, as a read shows it; of what was deleted, as it was just before. */
  data: Data;
}

interface Place {
  /** The cursor: give it as `after` to go on from here. */
  id: string;
  /** Grows by one in its server. */
  seq: number;
}

/** The stream could not go on from where it was: what depends on earlier events has to be read anew. */
export interface Reset {
  type: 'reset';
  /** The cursor from which it goes on. */
  id: string;
  /** Older than what the server keeps; or of a history that it does not have, as after a restored backup. */
  reason: 'expired' | 'unknown';
  /** The cursor before the oldest event that is kept, and that of the latest. */
  oldest: string;
  latest: string;
}

/** Something that happened, told apart by its `type`. Live events, such as typing, have no `id` and no `seq`. */
export type PalaverEvent =
  | { [T in keyof LoggedEventData]: Happened<T, LoggedEventData[T]> & Place }[keyof LoggedEventData]
  | {
      [T in keyof LiveEventData]: Happened<T, LiveEventData[T]> & { id?: never; seq?: never };
    }[keyof LiveEventData]
  | Reset;

export interface EventOptions {
  /** Only these types, `message.*` for all of a kind. Resets are told in any case. */
  types?: readonly (EventType | `${Noun}.*`)[];
  /** Only what is in this channel. */
  channelId?: string;
  /** The key's own. */
  serverId?: string;
  /** The id of the event to go on after; from now on if left out. */
  after?: string;
  /** Ends the iteration, which then throws the signal's reason. */
  signal?: AbortSignal;
  /**
   * Milliseconds without anything, not even a sign of life, after which the connection is taken for dead; 40,000 if left
   * out.
   */
  silence?: number;
}
