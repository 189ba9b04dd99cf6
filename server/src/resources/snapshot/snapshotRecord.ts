import type { TObject } from 'typebox';
import { flagNames } from '../../lib/flags.ts';
import { Type } from '../../lib/schema.ts';
import { type Kind, limitTable } from '../../limits/table.ts';
import { sampleId } from '../../operations/examples.ts';
import { count, flag, id, nullable, oneOf, record, text } from '../../operations/fields.ts';
import { shownMessage } from '../message/messageRecord.ts';
import { server } from '../server/serverRecord.ts';
import { serverMember } from '../serverMember/memberRecord.ts';
import { thread } from '../thread/threadRecord.ts';
import { user } from '../user.ts';
import { partFields } from './parts.ts';

const titled = <T extends TObject>(title: string, { properties }: T) =>
  Type.Object(properties, { $id: title, title, additionalProperties: false }) as T;

const flags = (description: string) =>
  Type.Array(oneOf(flagNames), { description, examples: [['canEditData', 'canModerate']] });

/**
 * A person's permissions in a server: everything that rules check, apart from the target
 * (`access/principal.ts`).
 */
const standing = titled(
  'Standing',
  Type.Object({
    userId: id(),
    userType: oneOf(['person', 'agent']),
    platformAdmin: flag(),
    serverId: id(),
    isServerCreator: flag('Whether you own the server'),
    roleIds: Type.Array(id(), {
      description: 'All your roles in the server',
      examples: [[sampleId('role')]],
    }),
    ownFlags: flags('The flags of these roles'),
    flags: flags('The flags of these roles, including implied ones'),
  }),
);

const cursor = (description: string) =>
  text({ max: 100, description, examples: ['Yw3pQx8BAAAAAAAqmZqbnAECAwQ'] });

const limits = Type.Object(
  Object.fromEntries(
    (Object.keys(limitTable) as Kind[]).map((kind) => [kind, count(undefined, limitTable[kind])]),
  ),
  { description: 'Requests per 60 seconds by kind; 0 for no limit' },
);

/** The initial state of a server. */
export const snapshot = titled(
  'Snapshot',
  Type.Object({
    cursor: cursor("The position in the server's log that the snapshot includes. Apply the events after it"),
    server,
    user: Type.Object(user.properties, { description: 'Your profile' }),
    member: Type.Object(serverMember.properties, { description: 'Your membership' }),
    standing,
    limits,
    ...partFields,
  }),
);

const plain = <T extends TObject>(schema: T) => Type.Object(schema.properties) as T;

const ownReaction = record('OwnReaction', { messageId: id(), emoji: text({ max: 64, examples: ['👍'] }) });
const itsPin = record('ItsPin', { messageId: id(), creatorId: id('The user who pinned it') });

const viewFields = (authors: string) => ({
  cursor: cursor("The position in the server's log that the view includes"),
  messages: Type.Array(shownMessage, { description: 'Oldest first' }),
  users: Type.Array(user, {
    description: `${authors}, once each, without former members`,
  }),
  reactions: Type.Array(plain(ownReaction), { description: 'Your own reactions to the messages' }),
  threads: Type.Array(thread, { description: 'The threads attached to the messages' }),
  pins: Type.Array(plain(itsPin), { description: 'The pins of the messages' }),
  before: nullable(id('`before` for the previous window; null if this one includes the first message')),
  after: nullable(id('`after` for the next window; null if this one includes the latest message')),
});

/** A window of the messages in a channel. */
export const channelView = titled('ChannelView', Type.Object(viewFields('The authors of the messages')));

/** A window of the replies in a thread. */
export const threadView = titled(
  'ThreadView',
  Type.Object({
    thread: Type.Object(thread.properties, { description: 'The current thread' }),
    message: nullable(
      Type.Object(shownMessage.properties, {
        description:
          "The thread's root message; null if there is none or it was deleted. `users`, `reactions`, `threads` and `pins` also cover this message",
      }),
    ),
    ...viewFields('The authors of the messages and the user who started the thread'),
  }),
);
