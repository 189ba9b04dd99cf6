import type { Records } from '../../api/records.ts';
import { useServer } from '../../replica/hooks.ts';

/** How many days a channel's messages are kept; null if they are not deleted. */
export function useKeptDays({ serverId, kind, retentionDays }: Records['Channel']): number | null {
  const { server } = useServer(serverId);
  return kind === 'dm' ? null : (retentionDays ?? server?.retentionDays ?? null);
}
