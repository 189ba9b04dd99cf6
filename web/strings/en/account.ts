import { texts } from '../texts.ts';

/** The pages that one-time links open. */
export const links = texts({
  welcome: {
    none: 'Incomplete link',
    noneMore: 'Open the full link exactly as you received it, including the long code at the end.',
    ended: 'This link no longer works',
    endedMore: 'Links work once and for a limited time. Ask for a new one.',
    opening: 'Opening your link',
    signUpMore: "You're invited to {host}. Choose your name and username.",
    changes: "You're signed in as {name}. This link signs you in to a different account.",
    claimTitle: 'Welcome, {name}',
    purposes: {
      claim: {
        lead: 'Your account is ready. Your username is {username}. Choose a password.',
        submit: 'Set password and sign in',
      },
      password: {
        title: 'Choose a new password',
        lead: "For the account {username}. You'll be signed out everywhere else.",
        submit: 'Set password and sign in',
      },
      reset: {
        title: 'Choose a new password',
        lead: "For the account {username}. You'll be signed out everywhere else.",
        submit: 'Set password and sign in',
      },
      recovery: {
        title: 'Recover your account',
        lead: 'For the account {username}. This removes its two-factor authentication, passkeys, connected accounts and email address, and signs you out everywhere else.',
        submit: 'Set password and sign in',
      },
    },
  },
  verify: {
    title: 'Confirm your email address',
    lead: 'For the account {name} ({username}).',
    signIn: 'Sign in to the account that requested this email.',
    submit: 'Confirm email address',
    done: 'Email address confirmed',
    doneMore: "{email} is now your account's email address.",
    toAccount: 'Go to your account',
    notYours: "This link has expired, or it's for a different account than the one you're signed in to.",
  },
  claim: {
    title: 'Claim {name}',
    as: "You're signed in as {name} ({username}).",
    what: "This moves {name}'s messages, files and memberships to your account. It can't be undone.",
    submit: 'Claim with this account',
    other: 'Use a different account',
    hasAccount: 'I already have an account',
    separate: 'Create a new account instead',
    signIn: 'Sign in to claim {name} with your account.',
    done: 'You claimed {name}',
    doneMore: 'The messages move to your account in the background. Large histories can take a few minutes.',
    taken: 'Someone has already claimed this person.',
  },
});

/** Apps that act on the user's behalf in one server: the approval page, and the list in the settings. */
export const grant = texts({
  title: '{app} wants to act on your behalf in a server',
  lead: 'It would act as {name} ({username}) in one server, with the permissions you choose.',
  host: 'Website',
  redirect: 'Redirects to',
  server: 'In this server',
  noServers: "You haven't joined a server yet.",
  notMember: "{app} asked for a server that you're not a member of.",
  may: 'This app can',
  reads: 'Read everything your roles can see in this server, except direct messages',
  allows: {
    canAdmin: 'Administer the server: roles, all private channels, and everything below',
    canEditServer: "Edit the server's name, images and welcome message",
    canEditChannel: 'Create, edit and delete channels; pin messages',
    canEditData: 'Send messages, start threads, react and create invites',
    canModerate: "Edit and delete other people's messages; kick and ban members",
    canEditApp: 'Choose which apps are installed, manage commands, and delete API keys, webhooks and flows',
    canViewData: 'View installed apps and flows',
  },
  lacks: "You don't have this permission.",
  limits:
    "The app can't access your direct messages, your other servers or your account, and can't create or change API keys, secrets, webhooks or flows. Access ends after 90 days. You can revoke it at any time under Your settings → Sessions and apps.",
  unverified:
    'Nobody has verified this app. It calls itself {app}, and its website is {host}. Only approve it if you started it yourself and trust that website.',
  unverifiedName:
    'Nobody has verified this app. It calls itself {app}. Only approve it if you just started it yourself.',
  session:
    'This signs the app in to your whole account: it can do everything you can, in all your servers, except for actions that require your password.',
  apps: 'Apps with limited access',
  appsLead: 'These apps act on your behalf in one server, with the permissions you chose.',
  in: 'in {server}',
  onlyReads: 'read-only',
  until: 'expires {when}',
  used: 'last used {when}',
  revoke: 'Revoke access',
  revokeOf: 'Revoke {app}',
  revokeAll: 'Revoke all',
  revokeAllMore:
    '{count, plural, one {This revokes # app. It stops working immediately.} other {This revokes # apps. They stop working immediately.}}',
  revokeWithPassword: 'Also revoke apps with limited access',
});

/** The user's settings: the history of their account. */
export const history = texts({
  lead: "Sign-ins and changes to your account in the last 90 days. If you don't recognize something, change your password and sign out everywhere else.",
  none: 'No entries',
  types: {
    signedUp: 'Account created',
    signedIn: 'Signed in',
    signInFailed: 'Failed sign-in: wrong password',
    codeFailed: 'Failed sign-in: wrong code',
    proofFailed: 'Wrong password while confirming identity',
    signInBlocked: 'Sign-ins from new browsers blocked after many failures',
    signedOut: 'Signed out',
    sessionRevoked: 'Session signed out',
    sessionsRevoked: 'All other sessions signed out',
    grantAdded: 'App approved for a server',
    grantRevoked: 'App access revoked',
    passwordChanged: 'Password changed',
    passwordRemoved: 'Password removed',
    passkeyAdded: 'Passkey added',
    passkeyRemoved: 'Passkey removed',
    emailAdded: 'Email address confirmed',
    emailRemoved: 'Email address removed',
    secondFactorAdded: 'Two-factor authentication turned on',
    secondFactorRemoved: 'Two-factor authentication turned off',
    recoveryCodesCreated: 'New recovery codes created',
    dataExported: 'Data exported',
    identityAdded: 'External account connected',
    identityRemoved: 'External account disconnected',
    suspended: 'Account suspended',
    reinstated: 'Suspension lifted',
  },
  methods: {
    password: 'with a password',
    passkey: 'with a passkey',
    provider: 'with another service',
    link: 'with a link',
    app: 'by an app',
  },
  actors: { admin: 'by a platform admin', operator: 'by the operator' },
  attempts: '{count, plural, one {# attempt} other {# attempts}}',
});

/** Blocked users. */
export const block = texts({
  block: 'Block',
  unblock: 'Unblock',
  unblockNamed: 'Unblock {name}',
  ask: 'Block {name}?',
  askMore:
    "They can't send you direct messages, except in existing groups. Their messages in channels are collapsed, and none of their messages notify you. They won't know that you blocked them.",
  unblocked: '{name} is no longer blocked.',
});

/** The user's settings: privacy. */
export const privacy = texts({
  lead: 'Choose who can message you, and manage the people you block.',
  reach: 'People who can message you',
  reachMore: 'Applies to new direct messages and to replies in existing one-to-one conversations.',
  reaches: { anybody: 'Anyone in my servers', nobody: 'No one' },
  blocked: 'Blocked people',
  blockedMore:
    "They can't send you direct messages, except in existing groups. Their messages in channels are collapsed. They won't know that you blocked them.",
  none: 'No one is blocked',
  noneMore: 'To block people, open their profile and choose “Block” from its menu.',
  unknown: 'Unknown user',
});

/** Archives of the user's data. */
export const ownExports = texts({
  title: 'Export your data',
  lead: "A zip archive with your messages and their earlier versions, files, direct messages, and everything stored about your account. It contains JSON files and HTML pages. We'll ask you to confirm your identity.",
  start: 'Start export',
  none: 'No exports',
  noneMore: 'Start one to keep a copy of your data.',
  states: { running: 'in progress', done: 'complete', failed: 'failed' },
  failures: { too_large: 'larger than this server allows', too_late: 'took more than a day' },
  messages: '{count, plural, one {# message} other {# messages}}',
  until: 'available until {when}',
  downloadOf: 'Download export from {when}',
  deleteOf: 'Delete export from {when}',
  ask: 'Delete this export?',
  askMore: 'Its archive can no longer be downloaded.',
  askRunning: 'The export will be cancelled.',
  deleted: 'Export deleted.',
});
