import type { ChannelView } from '../access/predicates.ts';
import { type Readable, type Viewer, type Visibility, visibility } from '../access/visibility.ts';
import type { RowOf } from '../db/schema.ts';
import { eventIdOf } from './eventId.ts';
import type { EventType, LiveEventType } from './events.ts';

/** Who sees a channel, as it was when it was last looked up; shared by all that hangs on the channel. */
export interface ChannelState {
  view: ChannelView;
  /** By the monotonic clock, in milliseconds. */
  checkedAt: number;
}

/** An event on its way to those who may see it. */
interface Told {
  serverId: string;
  channelId: string | null;
  channel: ChannelState | undefined;
  /** Whose it is, where that decides who sees it. */
  ownerId: string | undefined;
  /** As it is sent. */
  json: string;
}

export interface LoggedEvent extends Told {
  type: EventType;
  /** The cursor from which the log goes on after it. */
  id: string;
  seq: number;
  epoch: string;
}

/** What is told to those who are there, and never logged. */
export interface LiveEvent extends Told {
  type: LiveEventType;
}

type Noun<T extends string> = T extends `${infer N}.${string}` ? N : never;

/** Who may see the events of a thing: those who may read it. */
const audiences: Record<Noun<EventType | LiveEventType>, Visibility> = {
  app: 'member',
  appInstall: 'data',
  channel: 'channel',
  flow: 'data',
  indicator: 'channel',
  invite: 'member',
  message: 'channel',
  notification: 'owner',
  pin: 'channel',
  reaction: 'channel',
  role: 'member',
  secret: 'secrets',
  server: 'member',
  serverMember: 'member',
  thread: 'channel',
  userRole: 'member',
  webhook: 'apps',
};

const nounOf = (type: EventType | LiveEventType): keyof typeof audiences =>
  type.slice(0, type.indexOf('.')) as keyof typeof audiences;

/** True if the viewer may see the event, by what is known of its channel. */
export function sees(viewer: Viewer, event: LoggedEvent | LiveEvent): boolean {
  const { serverId, channel, ownerId } = event;
  const thing: Readable = { serverId, channel: channel?.view, ownerId };
  return visibility[audiences[nounOf(event.type)]].holds(viewer, thing);
}

/** What is read of a row of the log. */
export type EventRow = Pick<
  RowOf<'event'>,
  'serverId' | 'seq' | 'type' | 'actorId' | 'channelId' | 'at' | 'data' | 'epoch'
>;

/** The event of a row; what is known of its channel is for the caller to add. */
export function toEvent(row: EventRow): LoggedEvent {
  const { serverId, seq, epoch, channelId, actorId, at, data } = row;
  const type = row.type as EventType;
  const id = eventIdOf(serverId, row);
  const actor = actorId === null ? 'null' : `"${actorId}"`;
  return {
    id,
    seq,
    epoch,
    type,
    serverId,
    channelId,
    channel: undefined,
    ownerId: nounOf(type) === 'notification' ? JSON.parse(data).userId : undefined,
    json: `{"id":"${id}","seq":${seq},"type":"${type}","serverId":"${serverId}","actorId":${actor},"at":${at},"data":${data}}`,
  };
}
