import { api, type Records } from '../../../api/index.ts';
import { useRows } from '../../../replica/hooks.ts';
import { byNewest, type Pages, usePages } from '../../settings/server/index.ts';

/** The apps that a server has made, as far as they are read. */
export interface OwnApps {
  apps: readonly Records['App'][];
  pages: Pages<{ nextCursor: string | null }>;
}

/** The apps of a server's own; the replica keeps them up to date. */
export function useOwnApps(serverId: string): OwnApps {
  const pages = usePages(
    serverId,
    (cursor) => api(serverId).appsByServer({ serverId, cursor, limit: 100 }),
    (page) => ({ app: page }),
  );
  const apps = useRows('app', 'serverId', serverId).toSorted(byNewest);
  return { apps, pages };
}
