import type { LiveEventData, LoggedEventData } from './generated/events.ts';

/** An event type: `message.created`, `indicator.updated`, … */
export type EventType = keyof LoggedEventData | keyof LiveEventData;
type Noun = EventType extends infer T ? (T extends `${infer N}.${string}` ? N : never) : never;

interface Happened<Type extends EventType, Data> {
  type: Type;
  serverId: string;
  /** The user who caused the event; null if it was the operator or the server itself. */
  actorId: string | null;
  /**
   * A signed-in person, an API key or incoming webhook, the operator on the command line, or Palaver itself.
   * Null in events of earlier versions.
   */
  actor: 'person' | 'key' | 'operator' | 'system' | null;
  /** Milliseconds since the Unix epoch. */
  at: number;
  /** The record as a read returns it. For a delete, the record just before it was deleted. */
  data: Data;
}

interface Place {
  /** The cursor: pass it as `after` to continue after this event. */
  id: string;
  /** The sequence number, which increases by one with each event of the server. */
  seq: number;
}

/** The stream could not continue from the cursor. Reload everything that you derived from earlier events. */
export interface Reset {
  type: 'reset';
  /** The cursor at which the stream continues. */
  id: string;
  /**
   * `expired`: the server has deleted events that follow the cursor. `unknown`: the cursor is not in the
   * server's history, for example after restoring a backup.
   */
  reason: 'expired' | 'unknown';
  /** The cursor before the oldest retained event, and the cursor of the latest event. */
  oldest: string;
  latest: string;
}

/** An event, discriminated by `type`. Live events, such as typing, have neither `id` nor `seq`. */
export type PalaverEvent =
  | { [T in keyof LoggedEventData]: Happened<T, LoggedEventData[T]> & Place }[keyof LoggedEventData]
  | {
      [T in keyof LiveEventData]: Happened<T, LiveEventData[T]> & { id?: never; seq?: never };
    }[keyof LiveEventData]
  | Reset;

export interface EventOptions {
  /** Only events of these types; `message.*` means all types of a noun. Resets are always included. */
  types?: readonly (EventType | `${Noun}.*`)[];
  /** Only events in this channel. */
  channelId?: string;
  /** The server to follow; the key's own by default. */
  serverId?: string;
  /** The id of the event after which to continue. By default, the stream starts with the next event. */
  after?: string;
  /** Ends the iteration, which then throws the signal's reason. */
  signal?: AbortSignal;
  /**
   * Heartbeat timeout: the number of milliseconds without any data, including keep-alives, after which the
   * connection is considered dead. 40,000 by default.
   */
  silence?: number;
}
