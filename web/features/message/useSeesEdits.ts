import type { Records } from '../../api/index.ts';
import { useServer } from '../../replica/hooks.ts';

/** Whether the user may see earlier versions of a message. Mirrors the backend's rule (`access/earlierVersions.ts`). */
export function useSeesEdits({ serverId, creatorId }: Records['ShownMessage']): boolean {
  const { server, state } = useServer(serverId);
  if (server?.editHistory === 'everyone') return true;
  const standing = state?.standing;
  if (!standing) return false;
  return standing.userId === creatorId || standing.isServerCreator || standing.flags.includes('canModerate');
}
