import type { Resource } from '../access/rules.ts';
import { type EventKind, EventTable } from '../feed/eventKind.ts';
import { sight } from '../feed/sight.ts';
import type { Operation } from '../operations/perform.ts';
import type { WriteOperation } from '../operations/write.ts';
import { appOperations } from './app/index.ts';
import { appEvents } from './app/record.ts';
import { appInstallEvents, appInstallOperations } from './appInstall.ts';
import { attachmentEvents } from './attached.ts';
import { attachmentOperations } from './attachment/index.ts';
import { channelEvents, channelOperations } from './channel.ts';
import { eventOperations } from './event.ts';
import { flowEvents, flowOperations } from './flow.ts';
import { indicatorEvents, indicatorOperations } from './indicator.ts';
import { inviteEvents, inviteOperations } from './invite.ts';
import { meOperations } from './me.ts';
import { messageOperations } from './message/index.ts';
import { messageEvents } from './message/record.ts';
import { notificationEvents, notificationOperations } from './notification.ts';
import { pinEvents, pinOperations } from './pin.ts';
import { reactionEvents, reactionOperations } from './reaction.ts';
import { roleEvents, roleOperations } from './role.ts';
import { secretOperations } from './secret/index.ts';
import { secretEvents } from './secret/record.ts';
import { serverOperations } from './server/index.ts';
import { serverEvents } from './server/record.ts';
import { serverBanEvents, serverBanOperations } from './serverBan.ts';
import { serverMemberOperations } from './serverMember/index.ts';
import { serverMemberEvents } from './serverMember/record.ts';
import { threadOperations } from './thread/index.ts';
import { threadEvents } from './thread/record.ts';
import { ticketOperations } from './ticket.ts';
import { userOperations } from './user.ts';
import { userRoleEvents, userRoleOperations } from './userRole.ts';
import { webhookOperations } from './webhook/index.ts';
import { webhookEvents } from './webhook/record.ts';

interface Noun {
  /** Its description in the documents. */
  purpose: string;
  operations: readonly Operation[];
  // biome-ignore lint/suspicious/noExplicitAny: events of all data stand in one table
  events?: Readonly<Record<string, EventKind<any>>>;
}

/** Every noun: its purpose, its operations, its events. A noun with writes but without a rule does not compile. */
const nouns = {
  app: {
    purpose: 'Custom apps, and the registry from which other servers install them',
    operations: appOperations,
    events: appEvents,
  },
  appInstall: {
    purpose: 'Apps that a server has installed',
    operations: appInstallOperations,
    events: appInstallEvents,
  },
  attachment: {
    purpose: 'Files of messages',
    operations: attachmentOperations,
    events: attachmentEvents,
  },
  channel: { purpose: 'Channels for messages', operations: channelOperations, events: channelEvents },
  event: { purpose: 'Changes in a server, live', operations: eventOperations, events: { sight } },
  ticket: { purpose: 'Streams of events for pages in a browser', operations: ticketOperations },
  flow: { purpose: 'Automations of a server', operations: flowOperations, events: flowEvents },
  indicator: {
    purpose: 'Users who are typing or present',
    operations: indicatorOperations,
    events: indicatorEvents,
  },
  invite: { purpose: 'Invitations to join a server', operations: inviteOperations, events: inviteEvents },
  message: {
    purpose: 'Send, edit, delete and search messages',
    operations: messageOperations,
    events: messageEvents,
  },
  notification: {
    purpose: 'Mentions, replies and thread replies',
    operations: notificationOperations,
    events: notificationEvents,
  },
  pin: { purpose: 'Messages kept at hand in their channel', operations: pinOperations, events: pinEvents },
  reaction: { purpose: 'Emoji on messages', operations: reactionOperations, events: reactionEvents },
  role: { purpose: 'Permissions of keys and members', operations: roleOperations, events: roleEvents },
  secret: { purpose: "API keys, and apps' secrets", operations: secretOperations, events: secretEvents },
  server: { purpose: 'Servers and their settings', operations: serverOperations, events: serverEvents },
  serverBan: {
    purpose: 'Users who may not be members of a server',
    operations: serverBanOperations,
    events: serverBanEvents,
  },
  serverMember: {
    purpose: 'Users who belong to a server',
    operations: serverMemberOperations,
    events: serverMemberEvents,
  },
  thread: { purpose: 'Conversations beside a channel', operations: threadOperations, events: threadEvents },
  user: { purpose: 'Profiles', operations: [...meOperations, ...userOperations] },
  userRole: {
    purpose: 'Roles of members',
    operations: userRoleOperations,
    events: userRoleEvents,
  },
  webhook: {
    purpose: 'Events sent to other programs, and messages received from them',
    operations: webhookOperations,
    events: webhookEvents,
  },
} satisfies Record<Resource | 'event' | 'flow' | 'notification' | 'user', Noun>;

const all: [string, Noun][] = Object.entries(nouns);

/** All operations. */
export const operations: readonly Operation[] = all.flatMap(([, noun]) => noun.operations);

/** All types of events. */
export const events = new EventTable(all.flatMap(([, noun]) => Object.values(noun.events ?? {})));

/** The operation that sends messages, for incoming webhooks. */
export const messageSend = messageOperations.find(
  ({ operation }) => operation === 'messageSend',
) as WriteOperation;

/** `App install` for `appInstall`. */
const titleOf = (name: string): string =>
  name
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/^./, (letter) => letter.toUpperCase());

/** The groups of the API in the documents. */
export const tags = all.map(([name, { purpose }]) => ({
  name,
  description: purpose,
  'x-displayName': `${titleOf(name)}s`,
}));
