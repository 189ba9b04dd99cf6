import type { LiveEventData, LoggedEventData } from './generated/events.ts';

/** A type of event: `message.created`, `indicator.updated`, … */
export type EventType = keyof LoggedEventData | keyof LiveEventData;
type Noun = EventType extends infer T ? (T extends `${infer N}.${string}` ? N : never) : never;

interface Happened<Type extends EventType, Data> {
  type: Type;
  serverId: string;
  /** The user who caused the event; null for the operator and for the server itself. */
  actorId: string | null;
  /** Milliseconds since the Unix epoch. */
  at: number;
  /** The record, as a read shows it; for a delete, the record just before it. */
  data: Data;
}

interface Place {
  /** The cursor: pass it as `after` to continue after this event. */
  id: string;
  /** Grows by one with each event of its server. */
  seq: number;
}

/** The stream could not continue from the cursor: read everything again that was derived from earlier events. */
export interface Reset {
  type: 'reset';
  /** The cursor at which the stream continues. */
  id: string;
  /**
   * `expired`: the cursor is older than the events that the server keeps. `unknown`: the cursor is not in the server's
   * history, for instance after a restored backup.
   */
  reason: 'expired' | 'unknown';
  /** The cursor before the oldest event that is kept, and the cursor of the latest. */
  oldest: string;
  latest: string;
}

/** An event, told apart by its `type`. Live events, such as typing, have no `id` and no `seq`. */
export type PalaverEvent =
  | { [T in keyof LoggedEventData]: Happened<T, LoggedEventData[T]> & Place }[keyof LoggedEventData]
  | {
      [T in keyof LiveEventData]: Happened<T, LiveEventData[T]> & { id?: never; seq?: never };
    }[keyof LiveEventData]
  | Reset;

export interface EventOptions {
  /** Only these types; `message.*` for all types of a noun. Resets come in any case. */
  types?: readonly (EventType | `${Noun}.*`)[];
  /** Only events of this channel. */
  channelId?: string;
  /** The server to follow; the key's own by default. */
  serverId?: string;
  /** The id of the event to continue after; by default the stream begins with the next event. */
  after?: string;
  /** Ends the iteration, which then throws the signal's reason. */
  signal?: AbortSignal;
  /** Milliseconds without any data, keep-alives included, after which the connection counts as dead; 40,000 by default. */
  silence?: number;
}
