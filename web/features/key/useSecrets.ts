import { api, type Records } from '../../api/index.ts';
import type { NamingPage } from '../settings/server/index.ts';
import { type Pages, usePages } from '../settings/server/index.ts';

/** Reads the API keys and the apps' secrets of a server into the replica. One list has both: they share their pages. */
export const useSecrets = (
  serverId: string,
  isOpen: boolean,
): Pages<Records['Secret'][] & NamingPage & { nextCursor: string | null }> =>
  usePages(
    serverId,
    isOpen
      ? (cursor) => api(serverId).secretsByServer({ serverId, cursor, limit: 100, expand: 'creator,user' })
      : undefined,
    (page) => ({ secret: page, user: Object.values(page.expanded?.users ?? {}) }),
  );
