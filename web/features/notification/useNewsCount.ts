import { useMemo } from 'react';
import { useServers, useUnreads } from '../../replica/hooks.ts';

/** The number of unread notifications in all servers, except reactions. */
export function useUnreadCount(): number {
  const servers = useServers();
  const ids = useMemo(() => servers.map(({ id }) => id), [servers]);
  return useUnreads(ids).reduce((sum, { notifications }) => sum + notifications, 0);
}
