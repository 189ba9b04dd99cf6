import type { Route } from '../../routes.ts';

/** A notification, or a browser notification for a message. */
interface Told {
  type: string;
  serverId: string;
  channelId: string;
}

/** The page that a notification is about. If it is about a message, the page of its channel. */
export function pageOf({ type, serverId, channelId }: Told): Route {
  if (type === 'report') return { page: 'serverSettings', serverId, section: 'reports' };
  if (type === 'flow') return { page: 'serverSettings', serverId, section: 'flows' };
  if (type === 'schedule') return { page: 'later', section: 'scheduled' };
  return { page: 'server', serverId, channelId };
}
