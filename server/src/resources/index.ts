import type { Resource } from '../access/rules.ts';
import { ticketOperations } from '../accounts/ticket.ts';
import { EventTable } from '../feed/eventKind.ts';
import { sight } from '../feed/sight.ts';
import type { Operation } from '../operations/perform.ts';
import type { UploadOperation } from '../operations/upload.ts';
import type { WriteOperation } from '../operations/write.ts';
import { appNouns } from './appNouns.ts';
import { attachmentEvents } from './attached.ts';
import { attachmentOperations } from './attachment/index.ts';
import { categoryEvents, categoryOperations } from './category.ts';
import { channelEvents } from './channel/channelRecord.ts';
import { channelOperations } from './channel/index.ts';
import { conversationOperations } from './conversation/index.ts';
import { emojiEvents, emojiOperations } from './emoji.ts';
import { eventOperations } from './event.ts';
import { exportEvents, exportOperations } from './export.ts';
import { heldMessageOperations } from './heldMessage.ts';
import { indicatorEvents, indicatorOperations } from './indicator.ts';
import { invitationEvents, invitationOperations } from './invitation.ts';
import { inviteEvents, inviteOperations } from './invite.ts';
import { meOperations } from './me.ts';
import { heldMessageEvents } from './message/held.ts';
import { messageOperations } from './message/index.ts';
import { messageEvents } from './message/messageRecord.ts';
import { messageDeltaEvents } from './message/stream/deltaRecord.ts';
import { streamOperations } from './message/stream/operations.ts';
import { notificationEvents, notificationOperations } from './notification.ts';
import { notificationClearOperations } from './notificationClear.ts';
import { groups, type Noun } from './noun.ts';
import { peopleNouns } from './peopleNouns.ts';
import { channelPictureOperations, pictureOperations, serverPictureOperations } from './picture/index.ts';
import { pinEvents, pinOperations } from './pin.ts';
import { reactionEvents, reactionOperations } from './reaction.ts';
import { reportEvents, reportOperations } from './report.ts';
import { roleEvents, roleOperations } from './role.ts';
import { secretOperations } from './secret/index.ts';
import { secretEvents } from './secret/secretRecord.ts';
import { sentInvitationOperations } from './sentInvitation.ts';
import { serverOperations } from './server/index.ts';
import { importEvents, serverEvents, serverGoneEvents } from './server/serverRecord.ts';
import { serverBanEvents, serverBanOperations } from './serverBan.ts';
import { serverMemberOperations } from './serverMember/index.ts';
import { serverMemberEvents } from './serverMember/memberRecord.ts';
import { serverOwnerOperations } from './serverOwner/index.ts';
import { threadOperations } from './thread/index.ts';
import { threadEvents } from './thread/threadRecord.ts';
import { userOperations } from './user.ts';
import { userRoleEvents, userRoleOperations } from './userRole.ts';
import { webhookOperations } from './webhook/index.ts';
import { webhookEvents } from './webhook/webhookRecord.ts';
import { wordRuleEvents, wordRuleOperations } from './wordRule/index.ts';

/**
 * Every noun, with its purpose, operations and events, in the groups and the order of the OpenAPI documents.
 * A noun with writes but without a rule does not compile.
 */
const nouns = {
  message: {
    group: 'First steps',
    purpose: 'Send, edit, delete and search messages',
    operations: messageOperations,
    events: messageEvents,
  },
  channel: {
    group: 'First steps',
    purpose: 'Channels that contain messages',
    operations: channelOperations,
    events: channelEvents,
  },
  secret: {
    group: 'First steps',
    purpose: 'API keys and app secrets',
    operations: secretOperations,
    events: secretEvents,
  },
  user: { group: 'First steps', purpose: 'Profiles', operations: [...meOperations, ...userOperations] },
  conversation: {
    group: 'Conversations',
    purpose: 'Direct messages between a few people',
    operations: [...conversationOperations, ...channelPictureOperations],
  },
  attachment: {
    group: 'Conversations',
    purpose: 'Files in messages',
    operations: attachmentOperations,
    events: attachmentEvents,
  },
  messageDelta: {
    group: 'Conversations',
    purpose: 'Text appended to streamed messages',
    operations: streamOperations,
    events: messageDeltaEvents,
  },
  thread: {
    group: 'Conversations',
    purpose: 'Discussions attached to messages',
    operations: threadOperations,
    events: threadEvents,
  },
  reaction: {
    group: 'Conversations',
    purpose: 'Emoji on messages',
    operations: reactionOperations,
    events: reactionEvents,
  },
  pin: {
    group: 'Conversations',
    purpose: 'Pinned messages of a channel',
    operations: pinOperations,
    events: pinEvents,
  },
  notification: {
    group: 'Conversations',
    purpose: 'Mentions, replies, thread replies and direct messages',
    operations: [...notificationOperations, ...notificationClearOperations],
    events: notificationEvents,
  },
  indicator: {
    group: 'Conversations',
    purpose: 'Users who are typing or online',
    operations: indicatorOperations,
    events: indicatorEvents,
  },
  report: {
    group: 'Conversations',
    purpose: 'Messages that members reported to the moderators',
    operations: reportOperations,
    events: reportEvents,
  },
  wordRule: {
    group: 'Conversations',
    purpose: 'Rules that hold or reject messages with certain words',
    operations: wordRuleOperations,
    events: wordRuleEvents,
  },
  heldMessage: {
    group: 'Conversations',
    purpose: 'Messages held for approval by a moderator',
    operations: heldMessageOperations,
    events: heldMessageEvents,
  },
  event: {
    group: 'Live',
    purpose: 'Live changes in a server',
    operations: eventOperations,
    events: { sight },
  },
  ticket: {
    group: 'Live',
    purpose: 'Event streams for pages in a browser',
    operations: ticketOperations,
  },
  webhook: {
    group: 'Live',
    purpose: 'Events sent to other programs, and messages received from them',
    operations: webhookOperations,
    events: webhookEvents,
  },
  ...peopleNouns,
  server: {
    group: 'Servers',
    purpose: 'Servers and their settings',
    operations: [...serverOperations, ...serverOwnerOperations, ...serverPictureOperations],
    events: { ...serverEvents, ...serverGoneEvents, ...importEvents },
  },
  serverMember: {
    group: 'Servers',
    purpose: 'Users who belong to a server',
    operations: serverMemberOperations,
    events: serverMemberEvents,
  },
  export: {
    group: 'Servers',
    purpose: 'Archives of a server or channel',
    operations: exportOperations,
    events: exportEvents,
  },
  picture: {
    group: 'Servers',
    purpose: 'Images of servers, users and direct messages',
    operations: pictureOperations,
  },
  category: {
    group: 'Servers',
    purpose: 'Groups of channels in the channel list',
    operations: categoryOperations,
    events: categoryEvents,
  },
  emoji: {
    group: 'Servers',
    purpose: 'Custom emoji',
    operations: emojiOperations,
    events: emojiEvents,
  },
  role: {
    group: 'Servers',
    purpose: 'Permissions of keys and members',
    operations: roleOperations,
    events: roleEvents,
  },
  userRole: {
    group: 'Servers',
    purpose: 'Roles assigned to members',
    operations: userRoleOperations,
    events: userRoleEvents,
  },
  invite: {
    group: 'Servers',
    purpose: 'Invitations to join a server',
    operations: inviteOperations,
    events: inviteEvents,
  },
  invitation: {
    group: 'Servers',
    purpose: 'Invitations of individual people to a server',
    operations: [...invitationOperations, ...sentInvitationOperations],
    events: invitationEvents,
  },
  serverBan: {
    group: 'Servers',
    purpose: 'Users who cannot join a server',
    operations: serverBanOperations,
    events: serverBanEvents,
  },
  ...appNouns,
} satisfies Record<Resource | 'event' | 'flow' | 'notification' | 'snapshot' | 'user', Noun>;

const all: [string, Noun][] = Object.entries(nouns);

export const operations: readonly Operation[] = all.flatMap(([, noun]) => noun.operations);

export const events = new EventTable(all.flatMap(([, noun]) => Object.values(noun.events ?? {})));

/** Returns the operation with this name. */
export const named = <O extends Operation>(name: string): O =>
  operations.find(({ operation }) => operation === name) as O;

/** The operations for requests to incoming webhooks. */
export const hookOperations = {
  messageSend: named<WriteOperation>('messageSend'),
  attachmentInsert: named<UploadOperation>('attachmentInsert'),
  attachmentDelete: named<WriteOperation>('attachmentDelete'),
};

/** Converts a name such as `appInstall` to `App install`. */
const titleOf = (name: string): string =>
  name
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/^./, (letter) => letter.toUpperCase());

const pluralOf = (title: string): string => (title.endsWith('y') ? `${title.slice(0, -1)}ies` : `${title}s`);

/** The nouns as grouped tags for the OpenAPI documents. */
export const tagGroups = groups.map((group) => ({
  name: group,
  tags: all
    .filter(([, noun]) => noun.group === group)
    .map(([name, { purpose }]) => ({ name, description: purpose, 'x-displayName': pluralOf(titleOf(name)) })),
}));
