import type { Permission } from '../../../may/index.ts';
import { useServer } from '../../../replica/hooks.ts';

/** Whether the person may read what the API shows to holders of canViewData: installed apps and flows. */
export function useSeesPrograms(serverId: string): Permission {
  const flags = useServer(serverId).state?.standing.flags ?? [];
  const allowed = flags.includes('canViewData');
  return { allowed, rule: '', message: '', need: allowed ? [] : ['canViewData'] };
}
