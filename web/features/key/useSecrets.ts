import { api } from '../../api/index.ts';
import { useServerList } from '../settings/server/index.ts';

/** The API keys and app secrets of a server. Both are in one paginated list. */
export const useSecrets = (serverId: string, isOpen: boolean) =>
  useServerList(
    'secret',
    serverId,
    isOpen &&
      ((cursor) => api(serverId).secretsByServer({ serverId, cursor, limit: 100, expand: 'creator,user' })),
  );
