import type { Records } from '../../api/records.ts';
import { type Permission, useMay } from '../../may/index.ts';
import { useRow } from '../../replica/hooks.ts';

export function useMayReact({ serverId, channelId }: Records['ShownMessage']): Permission {
  const channel = useRow('channel', channelId);
  return useMay(serverId, 'reaction insert', channel ? { channel } : {});
}
