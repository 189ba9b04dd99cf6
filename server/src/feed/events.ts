/** Every type of event that the log can hold, and when it is written. */
export const eventTypes = {
  'app.created': 'An app was made',
  'app.updated': 'An app was changed or submitted, or an app of the registry installed or removed somewhere',
  'app.deleted': 'An app was deleted',
  'appInstall.created': 'An app was installed',
  'appInstall.updated': "An app of the server's own that it has installed was changed",
  'appInstall.deleted': 'An app was removed from the server, or deleted',
  'channel.created': 'A channel was made',
  'channel.updated': 'A channel was changed, or a role that saw it is gone',
  'channel.deleted': 'A channel was deleted, and with it all that was in it, which has no events of its own',
  'flow.created': 'A flow was made',
  'invite.created': 'An invite was made',
  'invite.updated': 'An invite was used',
  'invite.deleted': 'An invite was removed',
  'message.created': 'A message was sent',
  'message.updated': 'A message was edited, pinned, unpinned, or reacted to',
  'message.deleted': 'A message was deleted',
  'notification.created': 'A user was mentioned or answered',
  'notification.deleted': 'The message that it was about was deleted',
  'pin.created': 'A message was pinned',
  'pin.deleted': 'A message was unpinned, or deleted',
  'reaction.created': 'Somebody reacted to a message',
  'reaction.deleted': 'A reaction was taken back, or its message deleted',
  'role.created': 'A role was made',
  'role.updated': 'A role was changed',
  'role.deleted': 'A role was deleted',
  'secret.created': "An API key was minted, or an app's secret kept",
  'secret.deleted': "An API key was revoked, or an app's secret forgotten",
  'server.created': 'The server was made',
  'server.updated': 'The settings of the server were changed, or the number of its members',
  'serverMember.created': 'A user became a member',
  'serverMember.updated': 'A nickname was changed, or the roles of a member',
  'serverMember.deleted': 'A member left or was removed',
  'thread.created': 'A thread was started',
  'thread.updated': 'A thread was renamed, locked, unlocked or answered in, or a message of it deleted',
  'thread.deleted': 'A thread was deleted, and with it its replies, which have no events of their own',
  'userRole.created': 'A member was given a role',
  'userRole.deleted': 'A role was taken from a member, who may have left, or was deleted',
  'webhook.created': 'A webhook was made',
  'webhook.updated': 'A webhook was changed, or disabled because its receiver failed or is gone',
  'webhook.deleted': 'A webhook was removed',
} as const;

export type EventType = keyof typeof eventTypes;

/** What is told to those who are there at the moment, and never logged. */
export const liveEventTypes = {
  'indicator.created': 'Somebody is typing, or present',
  'indicator.updated': 'Somebody still is',
  'indicator.deleted': 'Somebody no longer is, or has not said so for 10 seconds',
} as const;

export type LiveEventType = keyof typeof liveEventTypes;

/** The types of logged events that a name stands for: one, or all of a thing as `message.*`. None for a name that means nothing. */
export const typesNamed = (name: string): EventType[] => named(Object.keys(eventTypes) as EventType[], name);

/** The same among those that are told live, too. */
export const allTypesNamed = (name: string): (EventType | LiveEventType)[] => [
  ...typesNamed(name),
  ...named(Object.keys(liveEventTypes) as LiveEventType[], name),
];

const named = <T extends string>(types: readonly T[], name: string): T[] =>
  types.filter((type) => (name.endsWith('.*') ? type.startsWith(name.slice(0, -1)) : type === name));
