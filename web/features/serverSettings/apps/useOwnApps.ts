import { type Records, readLog } from '../../../api/index.ts';
import { useRows } from '../../../replica/hooks.ts';
import { byNewest } from '../parts/byNewest.ts';
import { type Pages, usePages } from '../parts/usePages.ts';

/** The apps that a server has made, as far as they are known. */
export interface OwnApps {
  apps: readonly Records['App'][];
  pages: Pages<{ nextCursor: string | null }>;
}

/**
 * The API has no list of a server's own apps. The log tells of those that were made or changed while it is kept, and the installs of those
 * that are installed: both go into the replica.
 */
export function useOwnApps(serverId: string): OwnApps {
  const pages = usePages(
    serverId,
    async (after) => {
      const { events, nextCursor, hasMore } = await readLog(serverId, { types: 'app.*', after });
      return { events, nextCursor: hasMore ? nextCursor : null };
    },
    ({ events }) => ({ app: lastOf(events) }),
  );
  const made = useRows('app', 'serverId', serverId);
  const installed = useRows('appInstall', 'serverId', serverId).map(({ app }) => app);
  const apps = new Map(installed.filter((app) => app.serverId === serverId).map((app) => [app.id, app]));
  for (const app of made) apps.set(app.id, app);
  return { apps: [...apps.values()].sort(byNewest), pages };
}

/** The apps of events as the last event has each, without those that were deleted. */
function lastOf(events: readonly Records['Event'][]): Records['App'][] {
  const apps = new Map<string, Records['App']>();
  for (const event of events)
    if (event.type === 'app.created' || event.type === 'app.updated') apps.set(event.data.id, event.data);
    else if (event.type === 'app.deleted') apps.delete(event.data.id);
  return [...apps.values()];
}
