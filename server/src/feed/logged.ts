import { type HistoryReaders, seesEarlierVersions } from '../access/earlierVersions.ts';
import type { ChannelView } from '../access/predicates.ts';
import { type Viewer, type Visibility, visibility } from '../access/visibility.ts';
import type { RowOf } from '../db/schema.ts';
import type { ActorKind } from '../db/tables/event.ts';
import type { Earlier, Subject } from './contents.ts';
import { eventIdOf } from './eventId.ts';
import type { EventKind, EventTable } from './eventKind.ts';
import type { LostBy } from './log.ts';

/** A channel's view, as it was last read. All events in the channel share it. */
export interface ChannelState {
  view: ChannelView;
  /** When the view was last read, on the clock of `performance.now()`, in milliseconds. */
  checkedAt: number;
  /** The latest read of the view that is in progress, and when it started, on the same clock. */
  load: { from: number; done: Promise<void> } | undefined;
}

/** An event on its way to viewers. */
interface Delivery {
  /** Undefined for a type that is unknown to this version. Such an event is not delivered. */
  kind: EventKind | undefined;
  /** Null for an event in a user's log. */
  serverId: string | null;
  channelId: string | null;
  /** Undefined without a channel, or before `ChannelStates.attach`. */
  channel: ChannelState | undefined;
  /** If set, only this user sees the event. */
  ownerId: string | null;
  /** The text sent to clients. */
  json: string;
}

/** A stored event. */
export interface LoggedEvent extends Delivery {
  type: string;
  logId: string;
  /** The id of the event, which is also the cursor that continues after it. */
  id: string;
  seq: number;
  epoch: string;
  /** Milliseconds since the Unix epoch. */
  at: number;
  lostBy: LostBy | undefined;
  /** The record whose content the event shows, and the version of that content. */
  subject?: Subject;
  /**
   * The text for viewers who may see the version that the event is about. Set only if that is an earlier
   * version of the message.
   */
  earlier?: { json: string; creatorId: string; readers: HistoryReaders };
}

/** A live event. It is pushed to open streams and never stored. */
export interface LiveEvent extends Delivery {
  type: string;
}

/** Whether the viewer may see the event, according to the channel's view when it was last read. */
export function sees(viewer: Viewer, { kind, serverId, channel, ownerId }: LoggedEvent | LiveEvent): boolean {
  if (!kind) return false;
  return visibility[kind.audience].holds(viewer, { serverId, channel: channel?.view, ownerId });
}

/** Audiences that never include anyone who cannot see the event's channel. */
const inChannel: ReadonlySet<Visibility> = new Set(['channel', 'attachment', 'owner']);

/**
 * Returns the members of the direct message in which the event happened. Nobody else may see it. Undefined
 * for other events.
 */
export const onlyReadersOf = ({ kind, channel }: LoggedEvent): readonly string[] | undefined =>
  (kind && inChannel.has(kind.audience) && channel?.view.memberIds) || undefined;

/** Returns the event as this viewer may see it. Only some viewers can see earlier versions of a message. */
export const seenBy = (viewer: Viewer, event: LoggedEvent): LoggedEvent =>
  event.earlier &&
  seesEarlierVersions(viewer, { ...event.earlier, isDirect: Boolean(event.channel?.view.memberIds) })
    ? { ...event, json: event.earlier.json }
    : event;

/** The columns from which an event is built. */
export type EventRow = Pick<
  RowOf<'event'>,
  | 'logId'
  | 'seq'
  | 'type'
  | 'actorId'
  | 'actor'
  | 'channelId'
  | 'userId'
  | 'lostBy'
  | 'at'
  | 'data'
  | 'metaOf'
  | 'contentOf'
  | 'version'
  | 'epoch'
> & { earlier?: Earlier; subject?: Subject };

/** Converts a row to an event. `channel` is not set yet. */
export function toEvent(row: EventRow, events: EventTable): LoggedEvent {
  const { logId, seq, epoch, type, channelId, userId, lostBy, actorId, actor, at, data, earlier, subject } =
    row;
  const kind = events.find(type);
  const id = eventIdOf(logId, row);
  const serverId = kind?.log === 'user' ? null : logId;
  const textOf = (data: string) =>
    `{"id":"${id}","seq":${seq},"type":"${type}","serverId":${quoted(serverId)},"actorId":${quoted(actorId)},"actor":${quoted(actor)},"at":${at},"data":${data}}`;
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
    json: textOf(data),
    ...(subject && { subject }),
    ...(earlier && {
      earlier: { json: textOf(earlier.data), creatorId: earlier.creatorId, readers: earlier.readers },
    }),
  };
}

const quoted = (text: string | null): string => (text === null ? 'null' : `"${text}"`);

/** A live event as sent between nodes. */
export interface NewLiveEvent {
  type: string;
  serverId: string;
  channelId: string | null;
  /** If set, only this person's streams get the event. Earlier versions omit the field. */
  userId?: string | null;
  actorId: string | null;
  /** Earlier versions omit the field. */
  actor?: ActorKind;
  /** Milliseconds since the Unix epoch. */
  at: number;
  data: object;
}

/** Converts a message from another node to a live event. `channel` is not set yet. */
export function toLiveEvent(news: NewLiveEvent, events: EventTable): LiveEvent {
  const { type, serverId, channelId, userId = null, actorId, actor = null, at, data } = news;
  return {
    type,
    kind: events.find(type),
    serverId,
    channelId,
    channel: undefined,
    ownerId: userId,
    json: JSON.stringify({ type, serverId, actorId, actor, at, data }),
  };
}
