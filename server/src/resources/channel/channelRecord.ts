import { MAX_SLOW_SECONDS } from '../../db/tables/pace.ts';
import { eventsOf } from '../../feed/eventKind.ts';
import { Type } from '../../lib/schema.ts';
import {
  count,
  flag,
  id,
  longText,
  MAX_NAME_CHARACTERS,
  name,
  nullable,
  oneOf,
  pictureAddress,
  record,
  text,
} from '../../operations/fields.ts';
import { recordOf } from '../common.ts';
import { retentionDays } from '../retention.ts';
import { sharedPart, snapshotPart } from '../snapshotPart.ts';

/** A channel's settings. */
export const fields = {
  name: name('Unique in its server, ignoring case', 'general'),
  description: nullable(longText(undefined, 'News for everyone')),
  private: flag('Visible only to members with a role in `roleIds`, admins, and the owner of the server'),
  readonly: flag('Only admins and moderators can post'),
  slowSeconds: Type.Integer({
    minimum: 0,
    maximum: MAX_SLOW_SECONDS,
    examples: [0],
    description:
      'Slow mode: seconds between two messages of a member; 0 for none. Moderators and agents are exempt',
  }),
  position: count('Sort position in lists of channels'),
  retentionDays: retentionDays("to use the server's setting"),
};

export const channel = record('Channel', {
  serverId: id(),
  kind: oneOf(['channel', 'dm'], '`dm` is a direct message, which only its members see'),
  ...fields,
  name: text({
    max: MAX_NAME_CHARACTERS,
    description: 'Unique in its server, ignoring case; empty for a direct message without a name',
    examples: ['general'],
  }),
  categoryId: nullable(id('The category that the channel is listed under')),
  creatorId: id(),
  roleIds: Type.Array(id(), { description: 'The roles that can see a private channel', examples: [[]] }),
  memberIds: nullable(
    Type.Array(id(), { description: 'The members of a direct message; null for other channels' }),
  ),
  image: nullable(pictureAddress('The picture of a direct message')),
});
export const toChannel = recordOf(channel);

export const channelEvents = eventsOf(
  'channel',
  { data: channel, audience: 'channel', addressOf: ({ id }) => ({ channelId: id }) },
  {
    created: 'A channel was created',
    updated: 'A channel was updated, or one of its roles was deleted',
    deleted:
      'A channel was deleted, with its messages, threads, pins and reactions, which get no events of their own',
  },
);

/** The channels in a snapshot. */
export const channelsPart = sharedPart({
  schema: Type.Array(channel, { description: 'The channels you can see, by position' }),
  read: ({ channels }) => channels.map(toChannel),
});

const conversation = Type.Object(
  {
    ...channel.properties,
    latestMessageId: nullable(id('The latest message, including replies in threads; null if it has none')),
  },
  { $id: 'Conversation', title: 'Conversation', additionalProperties: false },
);

/**
 * Maximum direct messages in a snapshot and in the reading state. Both contain a person's most recently
 * active ones in a server.
 */
export const MAX_SHOWN_CONVERSATIONS = 50;

/** The direct messages in a snapshot. */
export const conversationsPart = snapshotPart({
  schema: Type.Array(conversation, {
    description: `Your most recently active direct messages, latest first, up to ${MAX_SHOWN_CONVERSATIONS}`,
  }),
  read: ({ conversations }) => ({ value: conversations }),
});
