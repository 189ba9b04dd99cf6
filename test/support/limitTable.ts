/** The table of the specification, part 8, typed again: requests in 60 s. */
export const limits = {
  message: 30,
  channel: 10,
  server: 5,
  thread: 20,
  reaction: 30,
  indicator: 60,
  query: 60,
  app: 60,
  appInstall: 60,
  invite: 60,
  pin: 60,
  role: 60,
  secret: 60,
  serverMember: 60,
  userRole: 60,
  webhook: 60,
} as const;

export type Kind = keyof typeof limits;
export type Request = readonly ['GET' | 'POST' | 'PATCH' | 'DELETE', string];

/** Every endpoint with the kind that it counts against. */
export const kindOf: Record<Kind, readonly Request[]> = {
  message: [
    ['POST', '/messages'],
    ['PATCH', '/messages/none'],
    ['DELETE', '/messages/none'],
  ],
  channel: [
    ['POST', '/channels'],
    ['PATCH', '/channels/none'],
    ['DELETE', '/channels/none'],
  ],
  server: [['PATCH', '/servers/none']],
  thread: [
    ['POST', '/threads'],
    ['PATCH', '/threads/none'],
    ['DELETE', '/threads/none'],
  ],
  reaction: [
    ['POST', '/reactions'],
    ['DELETE', '/reactions/none'],
  ],
  indicator: [
    ['POST', '/indicators'],
    ['PATCH', '/indicators/none'],
    ['DELETE', '/indicators/none'],
  ],
  query: [
    ['GET', '/servers'],
    ['GET', '/servers/joinable'],
    ['GET', '/servers/none'],
    ['GET', '/servers/none/members'],
    ['GET', '/servers/none/channels'],
    ['GET', '/servers/none/invites'],
    ['GET', '/servers/none/app-installs'],
    ['GET', '/servers/none/flows'],
    ['GET', '/channels/none'],
    ['GET', '/channels/none/messages'],
    ['GET', '/channels/none/pins'],
    ['GET', '/messages/none'],
    ['GET', '/messages/none/threads'],
    ['GET', '/threads/none'],
    ['GET', '/threads/none/info'],
    ['GET', '/users/none'],
    ['GET', '/roles/none'],
    ['GET', '/invites/none'],
    ['GET', '/apps/none'],
    ['GET', '/app-installs/none'],
    ['GET', '/flows/none'],
    ['GET', '/notifications'],
    ['GET', '/servers/none/webhooks'],
    ['GET', '/webhooks/none/deliveries'],
  ],
  app: [
    ['POST', '/apps'],
    ['PATCH', '/apps/none'],
    ['DELETE', '/apps/none'],
    ['POST', '/apps/install-from-registry'],
    ['POST', '/apps/submit'],
  ],
  appInstall: [
    ['POST', '/app-installs'],
    ['DELETE', '/app-installs/none'],
  ],
  invite: [
    ['POST', '/invites'],
    ['DELETE', '/invites/none'],
  ],
  pin: [
    ['POST', '/pins'],
    ['DELETE', '/pins/none'],
  ],
  role: [
    ['POST', '/roles'],
    ['PATCH', '/roles/none'],
    ['DELETE', '/roles/none'],
  ],
  secret: [
    ['POST', '/secrets'],
    ['DELETE', '/secrets/none'],
  ],
  serverMember: [
    ['POST', '/server-members'],
    ['PATCH', '/server-members/none'],
    ['DELETE', '/server-members/none'],
  ],
  userRole: [
    ['POST', '/user-roles'],
    ['DELETE', '/user-roles/none'],
  ],
  webhook: [
    ['POST', '/webhooks'],
    ['PATCH', '/webhooks/none'],
    ['DELETE', '/webhooks/none'],
    ['POST', '/webhooks/none/replay'],
  ],
};
