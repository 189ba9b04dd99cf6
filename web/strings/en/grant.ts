import { texts } from '../texts.ts';

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
    canEditApp: 'Choose which apps are installed, and edit flows',
    canViewData: 'View installed apps and flows',
  },
  lacks: "You don't have this permission.",
  limits:
    "The app can't access your direct messages, your other servers or your account, and can't create API keys or webhooks. Access ends after 90 days. You can revoke it at any time under Your settings → Sessions and apps.",
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
