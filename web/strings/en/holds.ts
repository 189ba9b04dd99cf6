import { texts } from '../texts.ts';

/** Legal holds. */
export const holds = texts({
  lead: "While a hold is active, deleted messages that it covers are kept for platform admins, and accounts and servers that it covers can't be erased. No one in the server is notified.",
  create: 'Create hold',
  created: 'Legal hold created.',
  none: 'No legal holds',
  noneMore: 'Create one to keep the messages of a server, a person or a channel for a legal case.',
  active: 'Active',
  ended: 'Ended',
  since: 'Since {when}',
  until: 'Until {when}',
  endedAt: 'Ended {when}',
  scopes: {
    server: '{server}: whole server',
    user: '{server}: messages by {user}',
    channel: '{server}: channel {channel}',
    both: '{server}: messages by {user} in channel {channel}',
  },
  end: 'End hold',
  endNamed: 'End hold: {reason}',
  ask: 'End this legal hold?',
  askMore:
    "Deleted messages and files that only this hold keeps are permanently deleted within minutes. This can't be undone.",
  done: 'Legal hold ended.',
  reason: 'Reason for the hold',
  reasonHint: 'Such as a case number. Only platform admins see it.',
  userHint: "Keeps only this person's messages. Leave empty for everyone's.",
  noUser: 'No account has this username.',
  channel: 'Channel ID',
  channelHint: "The last part of the channel's link. Leave empty for all channels.",
  untilLabel: 'Ends on',
  untilHint: 'Leave empty if you will end it yourself.',
});
