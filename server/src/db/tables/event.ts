import type { Generated } from 'kysely';
import type { Numbered, Table } from './facts.ts';

/**
 * The kinds of actors: a person (signed in or through an app), an API key, an incoming webhook or a flow
 * (`key`), the operator on the command line, or Palaver itself.
 */
export const actorKinds = ['person', 'key', 'operator', 'system'] as const;
export type ActorKind = (typeof actorKinds)[number];

/**
 * The event logs of servers and users. Each log is numbered without gaps, in commit order. Events are kept
 * for `eventDays` days (a setting). A log's latest event is always kept, because the next number is derived
 * from it.
 */
interface EventRow extends Numbered {
  /** The id of the server or user that the log belongs to. */
  logId: string;
  seq: number;
  type: string;
  /** The user who made the change; null for the operator and for Palaver itself. */
  actorId: string | null;
  /** Null in events of earlier versions. */
  actor: ActorKind | null;
  /** If set, only viewers of this channel see the event. */
  channelId: string | null;
  /** If set, only this user sees the event. */
  userId: string | null;
  /**
   * The viewers who may lose access to a channel through the event, as JSON (`LostBy` in `feed/log.ts`);
   * null for none.
   */
  lostBy: string | null;
  at: number;
  /** The record as JSON, without the `meta` of the app `metaOf` and without the content of `contentOf`. */
  data: string;
  /**
   * The app whose `meta` was omitted from the data because it is large (`feed/appMeta.ts`); null for most
   * events.
   */
  metaOf: string | null;
  /**
   * The message, file, thread or interaction whose content was omitted from the data and is filled in when
   * the event is read (`feed/contents.ts`). Null for other records, and for events from before
   * `messageVersion` existed.
   */
  contentOf: Generated<string | null>;
  /** The time of the version, for an event about a message. */
  version: Generated<number | null>;
  /** The epoch of the data: 12 hexadecimal digits. A restore starts a new one. */
  epoch: Generated<string>;
}

export const event: Table<EventRow> = {
  key: ['logId', 'seq'],
  byEngine: ['ord'],
  outlives: {
    logId: 'the sweep of a server removes its log',
    channelId: 'the log also covers deleted channels',
    metaOf: 'the log also covers deleted apps',
    contentOf: 'the log also covers deleted records, without their content',
  },
};
