import { useMemo } from 'react';
import { useServers, useUnreads } from '../../replica/hooks.ts';

/** The unread notifications of all servers: mentions, replies to oneself, replies in threads. */
export function useUnreadCount(): number {
  const servers = useServers();
  const ids = useMemo(() => servers.map(({ id }) => id), [servers]);
  return useUnreads(ids).reduce((sum, { notifications }) => sum + notifications, 0);
}
