import type { Resource } from '../access/rules.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { appEndpoints } from './app/index.ts';
import { appInstallEndpoints } from './appInstall.ts';
import { channelEndpoints } from './channel.ts';
import { eventEndpoints } from './event.ts';
import { flowEndpoints } from './flow.ts';
import { indicatorEndpoints } from './indicator.ts';
import { inviteEndpoints } from './invite.ts';
import { messageEndpoints } from './message/index.ts';
import { notificationEndpoints } from './notification.ts';
import { pinEndpoints } from './pin.ts';
import { reactionEndpoints } from './reaction.ts';
import { roleEndpoints } from './role.ts';
import { secretEndpoints } from './secret/index.ts';
import { serverEndpoints } from './server/index.ts';
import { serverMemberEndpoints } from './serverMember/index.ts';
import { threadEndpoints } from './thread.ts';
import { userEndpoints } from './user.ts';
import { userRoleEndpoints } from './userRole.ts';
import { webhookEndpoints } from './webhook/index.ts';

/** Every resource, and what is served of it. One with writes and no rule does not compile. */
export const resources = {
  app: appEndpoints,
  appInstall: appInstallEndpoints,
  channel: channelEndpoints,
  event: eventEndpoints,
  flow: flowEndpoints,
  indicator: indicatorEndpoints,
  invite: inviteEndpoints,
  message: messageEndpoints,
  notification: notificationEndpoints,
  pin: pinEndpoints,
  reaction: reactionEndpoints,
  role: roleEndpoints,
  secret: secretEndpoints,
  server: serverEndpoints,
  serverMember: serverMemberEndpoints,
  thread: threadEndpoints,
  user: userEndpoints,
  userRole: userRoleEndpoints,
  webhook: webhookEndpoints,
} satisfies Record<Resource | 'event' | 'flow' | 'notification' | 'user', Endpoint[]>;

export const endpoints: readonly Endpoint[] = Object.values(resources).flat();
