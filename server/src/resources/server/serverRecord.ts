import { historyReaders } from '../../access/earlierVersions.ts';
import { eventsOf } from '../../feed/eventKind.ts';
import { Type } from '../../lib/schema.ts';
import {
  count,
  flag,
  id,
  longText,
  name,
  nullable,
  oneOf,
  pictureAddress,
  record,
  text,
  time,
  webUrl,
} from '../../operations/fields.ts';
import { recordOf } from '../common.ts';
import { retentionDays } from '../retention.ts';

/** A server's settings. */
export const fields = {
  name: name(undefined, 'Harbour'),
  welcome: nullable(longText('A text shown to new members', 'Good to have you here')),
  description: nullable(longText(undefined, 'Everything about boats')),
  icon: nullable(webUrl()),
  banner: nullable(webUrl()),
  domain: nullable(text({ max: 253, examples: ['chat.example.com'] })),
  private: flag('A private server can only be joined with an invite'),
  tint: nullable(
    Type.Integer({ minimum: 0, maximum: 16_777_215, description: 'A color, 0xRRGGBB' }),
    0x3366ff,
  ),
  editHistory: oneOf(
    historyReaders,
    'The users who can read earlier versions of edited messages: `moderators` and the author, or `everyone` who can see the channel',
  ),
  directAgents: flag(
    'Whether members can start direct messages that include agents, and write in them',
    true,
  ),
  linkPreviews: flag(
    'Whether links in new messages get previews. Palaver then requests the pages, so their owners see that somebody posted the link',
  ),
  retentionDays: retentionDays(
    'to keep them. Applies to channels without their own setting, not to direct messages',
  ),
};

const shown = { icon: nullable(pictureAddress()), banner: nullable(pictureAddress()) };

export const server = record('Server', {
  ...fields,
  ...shown,
  creatorId: id(),
  memberCount: count(undefined, 12),
});
export const toServer = recordOf(server);

const deletedServer = record('DeletedServer', {
  name: fields.name,
  userId: id('Your user id. You were a member of the deleted server'),
});
const toDeletedServer = recordOf(deletedServer);

export const serverEvents = eventsOf(
  'server',
  { data: server, audience: 'member', addressOf: ({ id }) => ({ logId: id }) },
  {
    created: 'The server was created',
    updated: "The server's settings or its number of members changed",
  },
);

/**
 * These events are appended to the log of each person who was a member, because the server's own log is
 * deleted.
 */
export const serverGoneEvents = eventsOf(
  'server',
  { data: deletedServer, audience: 'self', log: 'user' },
  { deleted: 'A server you were a member of was deleted, with everything in it' },
);

/** Returns the data of `server.deleted` for one member. */
export const toServerGone = (server: object, userId: string) => toDeletedServer({ ...server, userId });

const importFinished = Type.Object(
  {
    id: id(),
    createdAt: time(),
    serverId: id(),
    source: Type.String({ description: 'The product that the history comes from', examples: ['slack'] }),
    messages: count('Messages that were added'),
  },
  { $id: 'ImportFinished', title: 'ImportFinished', additionalProperties: false },
);

export const importEvents = eventsOf(
  'import',
  { data: importFinished, audience: 'member' },
  {
    finished:
      'History was imported. Channels, members, messages and everything else in the server may have changed without other events, so load them again',
  },
);
