import { texts } from '../texts.ts';

/** Server settings: invites. */
export const inviteSettings = texts({
  title: 'Invites',
  find: 'Find an invite by link or creator',
  lead: 'Links that let people join this server.',
  closed: 'You can view invites but not create them.',
  othersClosed: 'You can revoke only your own invites.',
  create: 'New invite',
  none: 'No invites yet',
  noneMore: 'Create one and share its link.',
  uses: '{uses, plural, =0 {not used yet} one {used once} other {used # times}}',
  usesOf: 'used {uses} of {most} times',
  forever: 'never expires',
  ends: 'expires {when}',
  ended: 'expired {when}',
  over: 'Expired',
  by: 'by',
  show: 'Show link and QR code',
  revoke: 'Revoke',
  ask: 'Revoke this invite?',
  askMore: 'The link stops working. People who already joined stay.',
  revoked: 'Invite revoked.',
});

/** Server settings: inviting individual people. */
export const invitationSettings = texts({
  title: 'Invite a person',
  lead: 'For people who have an account here. They become members if they accept within 30 days.',
  username: 'Username',
  invite: 'Invite',
  invited: '@{username} was invited.',
  already: 'This person is already a member, or has been invited before.',
  expires: 'expires {when}',
  by: 'by',
  withdraw: 'Withdraw',
  withdrawFrom: "Withdraw {name}'s invitation",
  ask: "Withdraw {name}'s invitation?",
  askMore: "They can no longer accept it, and can't be invited again until it would have expired.",
  withdrawn: 'Invitation withdrawn.',
});

/** Server settings: bans. */
export const banSettings = texts({
  title: 'Bans',
  find: 'Find a banned user',
  lead: "Banned people can't join, not even with an invite. To ban a member, go to the members page.",
  closed: "You don't have access to bans.",
  none: 'No bans',
  noneMore: 'You can ban people on the members page.',
  since: 'since {when}',
  by: 'by',
  lift: 'Lift ban',
  liftFor: 'Lift ban on {name}',
  ask: 'Lift the ban on {name}?',
  askMore: 'They can join again. If the server is private, they need an invite.',
  lifted: 'Ban on {name} lifted.',
});

/** Server settings: rules that hold or block messages. */
export const wordRuleSettings = texts({
  title: 'Word rules',
  lead: 'Hold or block messages that contain certain words. Rules apply to messages, edits and thread names, but not to moderators or direct messages.',
  forbidden: "You don't have access to word rules.",
  none: 'No word rules',
  noneMore: 'Create one to check messages before members see them.',
  create: 'New word rule',
  edit: 'Edit word rule',
  pattern: 'Words',
  patternHint:
    'Case, accents and punctuation are ignored. “*” matches any letters within a word, as in “cheap watch*”.',
  action: 'If a message matches',
  actions: { hold: 'Hold it for review', refuse: 'Block it' },
  saved: 'Word rule saved.',
  ask: 'Delete the rule for “{pattern}”?',
  askMore: 'Messages it already holds stay in the review queue.',
  deleted: 'Word rule deleted.',
});

/** Server settings: reported messages. */
export const reportSettings = texts({
  title: 'Reports',
  lead: 'Messages reported by members. Closing a report deletes its copy of the message.',
  forbidden: "You don't have access to reports.",
  show: 'Filter by status',
  states: { open: 'Open', resolved: 'Resolved', dismissed: 'Dismissed' },
  none: { open: 'No open reports', resolved: 'No resolved reports', dismissed: 'No dismissed reports' },
  by: 'reported by',
  direct: 'direct message',
  reason: 'Reason:',
  resolve: 'Resolve',
  resolveOf: 'Resolve the report about {name}',
  dismiss: 'Dismiss',
  dismissOf: 'Dismiss the report about {name}',
  closed: { resolved: 'Report resolved.', dismissed: 'Report dismissed.' },
});

/** Server settings: messages held by word rules. */
export const heldSettings = texts({
  title: 'Held messages',
  lead: "Messages held for review by a word rule. They're deleted after 14 days.",
  forbidden: "You don't have access to held messages.",
  none: 'No held messages',
  noneMore: 'Messages held by a word rule appear here before members see them.',
  by: 'held by “{pattern}”',
  approve: 'Approve',
  approveOf: 'Approve message from {name}',
  reject: 'Reject',
  rejectOf: 'Reject message from {name}',
  decided: { approve: 'Message approved and sent.', reject: 'Message rejected.' },
});
