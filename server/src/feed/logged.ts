import type { ChannelView } from '../access/predicates.ts';
import { type Viewer, visibility } from '../access/visibility.ts';
import type { RowOf } from '../db/schema.ts';
import { eventIdOf } from './eventId.ts';
import type { EventKind, EventTable } from './eventKind.ts';
import type { LostBy } from './log.ts';

/** A channel's view as it was last read, shared by all events of the channel. */
export interface ChannelState {
  view: ChannelView;
  /** By `performance.now()`, in milliseconds. */
  checkedAt: number;
}

/** An event to be delivered to the viewers who see it. */
interface Delivery {
  /** Undefined for a type that this version does not know: nobody sees such an event. */
  kind: EventKind | undefined;
  /** Null for an event of a user's log. */
  serverId: string | null;
  channelId: string | null;
  /** Undefined if the event has no channel, or before `ChannelStates.attach`. */
  channel: ChannelState | undefined;
  /** If set, only this user sees the event. */
  ownerId: string | null;
  /** The text sent to clients. */
  json: string;
}

/** An event of a log. */
export interface LoggedEvent extends Delivery {
  type: string;
  logId: string;
  /** Also the cursor after the event. */
  id: string;
  seq: number;
  epoch: string;
  /** Milliseconds since the Unix epoch. */
  at: number;
  lostBy: LostBy | undefined;
}

/** A live event: sent to open streams, kept in no log. */
export interface LiveEvent extends Delivery {
  type: string;
}

/** True if the viewer sees the event, by its channel's view as it was last read. */
export function sees(viewer: Viewer, { kind, serverId, channel, ownerId }: LoggedEvent | LiveEvent): boolean {
  if (!kind) return false;
  return visibility[kind.audience].holds(viewer, { serverId, channel: channel?.view, ownerId });
}

/** The columns from which an event is made. */
export type EventRow = Pick<
  RowOf<'event'>,
  | 'logId'
  | 'seq'
  | 'type'
  | 'actorId'
  | 'channelId'
  | 'userId'
  | 'lostBy'
  | 'at'
  | 'data'
  | 'metaOf'
  | 'epoch'
>;

/** The event of a row, not yet with its channel. */
export function toEvent(row: EventRow, events: EventTable): LoggedEvent {
  const { logId, seq, epoch, type, channelId, userId, lostBy, actorId, at, data } = row;
  const kind = events.find(type);
  const id = eventIdOf(logId, row);
  const serverId = kind?.log === 'user' ? null : logId;
  return {
    id,
    seq,
    epoch,
    type,
    kind,
    logId,
    serverId,
    channelId,
    channel: undefined,
    ownerId: userId,
    at,
    lostBy: lostBy === null ? undefined : JSON.parse(lostBy),
    json: `{"id":"${id}","seq":${seq},"type":"${type}","serverId":${quoted(serverId)},"actorId":${quoted(actorId)},"at":${at},"data":${data}}`,
  };
}

const quoted = (id: string | null): string => (id === null ? 'null' : `"${id}"`);

/** A live event as nodes send it to each other. */
export interface LiveNews {
  type: string;
  serverId: string;
  channelId: string | null;
  /** If set, only this person's streams get the event. Left out by earlier versions. */
  userId?: string | null;
  actorId: string | null;
  /** Milliseconds since the Unix epoch. */
  at: number;
  data: object;
}

/** The event of such news, not yet with its channel. */
export function toLiveEvent(news: LiveNews, events: EventTable): LiveEvent {
  const { type, serverId, channelId, userId = null, actorId, at, data } = news;
  return {
    type,
    kind: events.find(type),
    serverId,
    channelId,
    channel: undefined,
    ownerId: userId,
    json: JSON.stringify({ type, serverId, actorId, at, data }),
  };
}
