import type { Level } from '../../db/tables/channelReading.ts';
import { eventsOf } from '../../feed/eventKind.ts';
import { Type } from '../../lib/schema.ts';
import { SAMPLE_TIME, sampleId } from '../../operations/examples.ts';
import { id, nullable, oneOf, time } from '../../operations/fields.ts';
import { draft } from './draftRecord.ts';

/** Counts stop at this number, which means "or more": clients show `99+`. */
export const MOST = 100;

const levels = ['all', 'mentions', 'nothing'] as const satisfies readonly Level[];

/** A time so far in the future that it means muted indefinitely. */
const FOR_GOOD = 8_640_000_000_000_000;

export const level = nullable(oneOf(levels), 'mentions');
export const mutedUntil = nullable(
  time(`Null if it is not muted; ${FOR_GOOD} if it is for good`),
  SAMPLE_TIME,
);

const marker = {
  messageId: id('The marker: messages with larger ids are unread. Message ids grow with time'),
  unreadAt: time('The last time at which you marked something there as unread; 0 for never'),
};

const amount = (description: string) =>
  Type.Integer({ minimum: 0, maximum: MOST, description, examples: [3] });

const counts = {
  unread: amount(`Messages of others after the marker, with replies in threads; ${MOST} for ${MOST} or more`),
};

const mentions = amount(`Unread notifications of mentions after the marker; ${MOST} for ${MOST} or more`);

/** An object in a response that is not a record: it has no id of its own. */
const part = (title: string, properties: Parameters<typeof Type.Object>[0]) =>
  Type.Object(properties, { $id: title, title, additionalProperties: false });

const channelReading = part('ChannelReading', {
  channelId: id(),
  ...marker,
  ...counts,
  mentions,
  level,
  mutedUntil,
});

const threadReading = part('ThreadReading', { threadId: id(), ...marker, ...counts });

const ofServer = {
  serverId: id(),
  level,
  mutedUntil,
  channels: Type.Array(channelReading, { description: 'All channels that you may see, by their ids' }),
  notifications: nullable(
    amount(
      `Your unread notifications of messages after the markers; ${MOST} for ${MOST} or more. Null with \`channelIds\``,
    ),
    3,
  ),
  drafts: Type.Array(draft, { description: 'What you have begun to write there' }),
  countedFrom: Type.Integer({
    minimum: 0,
    format: 'int64',
    description: 'The numbers have what the events of the server up to this `seq` tell',
    examples: [41],
  }),
  countedTo: Type.Integer({
    minimum: 0,
    format: 'int64',
    description:
      'They have nothing of events after this `seq`. Events between the two are in doubt: count again',
    examples: [41],
  }),
};

/** All reading state of a person in a server, as in a snapshot. */
export const readingInServer = part('ReadingInServer', ofServer);

/** The same, with threads. */
export const reading = part('Reading', {
  ...ofServer,
  threads: Type.Array(threadReading, {
    description: 'The threads in `threadIds` of which you see the channel',
    examples: [[]],
  }),
});

const place = {
  serverId: id(),
  userId: id(),
  channelId: nullable(id(), sampleId('channel')),
  threadId: nullable(id()),
};

/** A marker after a request, and in events. */
export const mark = part('Mark', { ...place, ...marker });

/** The response to a request with several marks. */
export const marks = part('Marks', { marks: Type.Array(mark) });

/** A person's notification level in a server or in one of its channels. */
export const wish = part('NotificationLevel', {
  serverId: id(),
  userId: id(),
  channelId: nullable(id('Null for the server'), sampleId('channel')),
  level,
  mutedUntil,
});

const readServer = part('ReadServer', {
  serverId: id(),
  userId: id(),
  messageId: id('Everything up to this id is read, in all channels'),
});

export const readServers = part('ReadServers', {
  servers: Type.Array(readServer, { description: 'The servers in which everything is read now' }),
});

/** Live events of a marker: no log keeps them, and the next read of the state makes up for missed ones. */
export const markEvents = eventsOf(
  'mark',
  { data: mark, audience: 'person', isLive: true },
  { updated: 'You have read on in a channel or a thread, or marked something there as unread' },
);

export const readingEvents = eventsOf(
  'reading',
  { data: readServer, audience: 'person', isLive: true },
  { updated: 'You have read everything in a server' },
);

export const wishEvents = eventsOf(
  'notificationLevel',
  { data: wish, audience: 'person', isLive: true },
  { updated: 'You want to be told of more or less in a channel or a server' },
);
