import type { Level } from '../../db/tables/channelReading.ts';
import { eventsOf } from '../../feed/eventKind.ts';
import { Type } from '../../lib/schema.ts';
import { SAMPLE_TIME, sampleId } from '../../operations/examples.ts';
import { flag, id, nullable, oneOf, time } from '../../operations/fields.ts';
import { MOST } from '../serverState/channelCounts.ts';
import { draft } from './draftRecord.ts';

const levels = ['all', 'mentions', 'nothing'] as const satisfies readonly Level[];

/** A time in the far future that means "muted indefinitely". */
const FOR_GOOD = 8_640_000_000_000_000;

export const level = nullable(oneOf(levels), 'mentions');
export const mutedUntil = nullable(time(`Null if not muted; ${FOR_GOOD} if muted indefinitely`), SAMPLE_TIME);

const marker = {
  messageId: id('The read marker: messages with larger ids are unread. Message ids grow with time'),
  unreadAt: time('When you last marked something in it as unread; 0 for never'),
};

const amount = (description: string) =>
  Type.Integer({ minimum: 0, maximum: MOST, description, examples: [3] });

const counts = {
  unread: amount(
    `Messages from others after the marker, including replies in threads; ${MOST} means ${MOST} or more`,
  ),
};

const mentions = amount(`Unread mentions after the marker; ${MOST} means ${MOST} or more`);

/** Creates the schema of an object in a response that is not a record, because it has no id of its own. */
const part = (title: string, properties: Parameters<typeof Type.Object>[0]) =>
  Type.Object(properties, { $id: title, title, additionalProperties: false });

export const favorite = flag('Whether the channel is one of your favorites');
export const hidden = flag(
  'Whether you left the channel. You can still see it, but clients do not list it, and only mentions of your name notify you',
);

const channelReading = part('ChannelReading', {
  channelId: id(),
  ...marker,
  ...counts,
  mentions,
  level,
  mutedUntil,
  favorite,
  hidden,
});

const threadReading = part('ThreadReading', { threadId: id(), ...marker, ...counts });

const ofServer = {
  serverId: id(),
  level,
  mutedUntil,
  channels: Type.Array(channelReading, { description: 'All channels you can see, by id' }),
  notifications: nullable(
    amount(
      `Your unread notifications of messages after the markers; ${MOST} means ${MOST} or more. Null with \`channelIds\``,
    ),
    3,
  ),
  drafts: Type.Array(draft, { description: 'Your drafts in the server' }),
  countedFrom: Type.Integer({
    minimum: 0,
    format: 'int64',
    description: 'The counts include all events of the server up to this `seq`',
    examples: [41],
  }),
  countedTo: Type.Integer({
    minimum: 0,
    format: 'int64',
    description:
      'The counts include no events after this `seq`. If you receive an event after `countedFrom` and up to this `seq`, reload the counts',
    examples: [41],
  }),
};

/** A person's whole reading state in a server, as in a snapshot. */
export const readingInServer = part('ReadingInServer', ofServer);

/** A person's reading state in a server, with threads. */
export const reading = part('Reading', {
  ...ofServer,
  threads: Type.Array(threadReading, {
    description: 'The threads in `threadIds` whose channel you can see',
    examples: [[]],
  }),
});

const place = {
  serverId: id(),
  userId: id(),
  channelId: nullable(id(), sampleId('channel')),
  threadId: nullable(id()),
};

/** A marker, as returned by a request and sent in events. */
export const mark = part('Mark', { ...place, ...marker });

/** The response to a request with several marks. */
export const marks = part('Marks', { marks: Type.Array(mark) });

/** A person's notification level in a server or in one of its channels. */
export const wish = part('NotificationLevel', {
  serverId: id(),
  userId: id(),
  channelId: nullable(id('The channel; null for the server'), sampleId('channel')),
  level,
  mutedUntil,
});

/** How a channel appears in a person's list. */
export const placement = part('ChannelPlacement', {
  serverId: id(),
  userId: id(),
  channelId: id(),
  favorite,
  hidden,
});

const readServer = part('ReadServer', {
  serverId: id(),
  userId: id(),
  messageId: id('All messages up to this id are read, in all channels'),
});

export const readServers = part('ReadServers', {
  servers: Type.Array(readServer, { description: 'The servers that are now fully read' }),
});

/**
 * Live events about a marker. They are not stored in a log. If a client misses some, the next read of the
 * state includes the changes.
 */
export const markEvents = eventsOf(
  'mark',
  { data: mark, audience: 'person', live: 'person' },
  { updated: 'You read messages in a channel or thread, or marked some as unread' },
);

export const readingEvents = eventsOf(
  'reading',
  { data: readServer, audience: 'person', live: 'person' },
  { updated: 'You marked everything in a server as read' },
);

export const placementEvents = eventsOf(
  'channelPlacement',
  { data: placement, audience: 'person', live: 'person' },
  { updated: 'You added a channel to your favorites or removed it from them, or you left or joined it' },
);

export const wishEvents = eventsOf(
  'notificationLevel',
  { data: wish, audience: 'person', live: 'person' },
  { updated: 'You changed your notification level for a channel or server' },
);
