import type { ChannelView } from '../access/predicates.ts';
import { type Viewer, visibility } from '../access/visibility.ts';
import type { RowOf } from '../db/schema.ts';
import { eventIdOf } from './eventId.ts';
import type { EventKind, EventTable } from './eventKind.ts';
import type { LostBy } from './log.ts';

/** A channel's view as it was last looked up; shared by all events of the channel. */
export interface ChannelState {
  view: ChannelView;
  /** By the monotonic clock, in milliseconds. */
  checkedAt: number;
}

/** An event on its way to those who may see it. */
interface Told {
  /** Undefined for a type that this version does not know: nobody is shown it. */
  kind: EventKind | undefined;
  /** Null for an event of a user's log. */
  serverId: string | null;
  channelId: string | null;
  channel: ChannelState | undefined;
  /** The user who alone is shown it; null for none. */
  ownerId: string | null;
  /** As it is sent. */
  json: string;
}

/** An event of a log. */
export interface LoggedEvent extends Told {
  type: string;
  logId: string;
  /** The cursor from which the log goes on after it. */
  id: string;
  seq: number;
  epoch: string;
  /** Milliseconds since the Unix epoch. */
  at: number;
  lostBy: LostBy | undefined;
}

/** An event that streams are told at the moment, and no log keeps. */
export interface LiveEvent extends Told {
  type: string;
}

/** True if the viewer may see the event, by the present knowledge of its channel. */
export function sees(viewer: Viewer, { kind, serverId, channel, ownerId }: LoggedEvent | LiveEvent): boolean {
  if (!kind) return false;
  return visibility[kind.audience].holds(viewer, { serverId, channel: channel?.view, ownerId });
}

/** The columns that an event is made of. */
export type EventRow = Pick<
  RowOf<'event'>,
  'logId' | 'seq' | 'type' | 'actorId' | 'channelId' | 'userId' | 'lostBy' | 'at' | 'data' | 'epoch'
>;

/** The event of a row, without the state of its channel. */
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

/** An event of the moment, as nodes tell each other. */
export interface LiveNews {
  type: string;
  serverId: string;
  channelId: string | null;
  actorId: string | null;
  /** Milliseconds since the Unix epoch. */
  at: number;
  data: object;
}

/** The event of such news, without the state of its channel. */
export function toLiveEvent(news: LiveNews, events: EventTable): LiveEvent {
  const { type, serverId, channelId, actorId, at, data } = news;
  return {
    type,
    kind: events.find(type),
    serverId,
    channelId,
    channel: undefined,
    ownerId: null,
    json: JSON.stringify({ type, serverId, actorId, at, data }),
  };
}
